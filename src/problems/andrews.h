// Andrews' squeezing mechanism: seven links in the plane, a spring and a constant driving torque.
#pragma once
#include "kinematics/model.h"

namespace raak {

// From the dead-centre start of the test set.
ModelSource andrews();
// The same equations from the start of the IFToMM benchmark A03.
ModelSource andrews_iftomm();

}  // namespace raak
