// Configurations for loops of many bodies that do not close from where they were placed: each part of the mechanism
// that shares no joint with others is assembled on its own, small ones as mechanisms of their own, long loops from
// chains bent along arcs.
#pragma once
#include "kinematics/start/consistent_start.h"
#include "mechanism/bodies/parts.h"
#include "mechanism/large/evaluation.h"

namespace raak {

// The coordinates `q` of the bodies' centres of mass of the part, taken from the configuration found for it. False
// where none was found. Throws a StartFailure with what stays open where that is known.
bool assemble_part(const Part& part, const Instance& whole, const StartRequest& start, Vector& q);

}  // namespace raak
