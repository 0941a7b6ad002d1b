// A slider crank with an elastic connecting rod, driven at constant speed.
#pragma once
#include "kinematics/model.h"

namespace raak {

ModelSource slider_crank();

}  // namespace raak
