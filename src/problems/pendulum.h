// A rigid body on a massless rod, in the redundant coordinates of its centre and its angle.
#pragma once
#include "kinematics/model.h"

namespace raak {

ModelSource pendulum();

}  // namespace raak
