// A rigid body on a massless rod, in the redundant coordinates of its centre and its angle.
#pragma once
#include "system/model.h"

namespace raak {

ModelSource pendulum();

}  // namespace raak
