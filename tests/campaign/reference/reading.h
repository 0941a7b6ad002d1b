// Mechanisms as lines of words, which the generator writes (tests/campaign/mechanisms.py).
#pragma once
#include <istream>
#include <optional>

#include "mechanism.h"

namespace reference {

struct Task {
  Mechanism mechanism;
  double tolerance = 1e-12;
  double perturbation = 0.0;  // of the companion run; 0: none
  std::vector<double> times;
};

// Nothing at the end of the input. Throws std::runtime_error where a line cannot be read.
std::optional<Task> read_task(std::istream& in);

}  // namespace reference
