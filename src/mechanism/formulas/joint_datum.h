// What the start decides once and for all: how a thread stands, which teeth of a gear pair meet. With these numbers
// such joints constrain positions, so that their drift is projected out, instead of rates.
#pragma once
#include <memory>

#include "mechanism/instance.h"
#include "system/state.h"

namespace raak {

// Whether a start has something to decide in this mechanism that is not decided yet.
bool wants_joint_data(const Instance& instance);

// The instance with all that is decided by a configuration q on its constraints at time t.
std::shared_ptr<const Instance> take_joint_data(const std::shared_ptr<const Instance>& instance, double t,
                                                const Vector& q);

}  // namespace raak
