// The joints and drivers of a mechanism as system/joint_graph.h knows them.
#pragma once
#include <memory>
#include <vector>

#include "mechanism/instance.h"
#include "system/joint_graph.h"

namespace raak {

std::vector<JointGraph::Joint> joints_of(const Instance& instance);
std::vector<JointGraph::Driver> drivers_of(const Instance& instance);

}  // namespace raak
