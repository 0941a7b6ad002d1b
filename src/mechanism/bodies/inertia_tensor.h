// The inertia of a body in space as a matrix.
#pragma once
#include <Eigen/Core>

#include "mechanism/instance.h"

namespace raak {

inline Eigen::Matrix3d inertia_tensor(const Body& body) {
  const auto I = [&](std::size_t i) { return body.inertia[i].now(); };
  Eigen::Matrix3d tensor;
  tensor << I(0), I(3), I(4), I(3), I(1), I(5), I(4), I(5), I(2);
  return tensor;
}

}  // namespace raak
