// A car axle on a bumpy road: two stiff springs, one of them on a wheel whose motion is prescribed.
#pragma once
#include "kinematics/model.h"

namespace raak {

ModelSource car_axis();

}  // namespace raak
