// How a mechanism of a model file is drawn: bodies through their points, joints at their pins, springs between theirs.
#pragma once
#include "mechanism/instance.h"
#include "system/drawing.h"

namespace raak {

Drawing draw(const Instance& instance);

}  // namespace raak
