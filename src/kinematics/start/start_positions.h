// The search for positions that satisfy the constraints: Newton-Raphson with shortened steps from the guess, along the
// branch of a known configuration, and from configurations around the guess (step 2 of Mani, Haug and Atkinson, see
// consistent_start.h).
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "base/linear/svd.h"
#include "kinematics/start/consistent_start.h"

namespace raak {

inline constexpr double closed_residual = 1e-11;  // scaled residual at which a constraint counts as satisfied

struct PositionSolution {
  Vector q;
  bool converged = false;
  int rank = 0;
  std::vector<std::string> free;  // coordinates that take part in an undetermined motion
  Vector gap;                     // |g| row by row
};

enum class Patience { all, little };  // with a residual that falls slowly

// From the guess alone.
PositionSolution solve_positions(const ConstrainedSystem& system, const StartRequest& request,
                                 const std::vector<int>& trusted, Patience patient = Patience::all);

// One way to look for positions, and whether it applies to the request.
struct PositionStrategy {
  const char* name;
  bool applies = true;
  std::function<PositionSolution()> search;
};
// Tries one after the other: the first that closes all rows, else the configuration with the smallest gaps.
PositionSolution first_to_close(const std::vector<PositionStrategy>& strategies);
// By every strategy that the request allows: along the branch of a known configuration, from the guess, ...
PositionSolution find_positions(const ConstrainedSystem& system, const StartRequest& request,
                                const std::vector<int>& trusted);

// The coordinates in the null space of a scaled Jacobian; `column` has their scales.
std::vector<std::string> moving_coordinates(const ConstrainedSystem& system, const Svd& svd, Eigen::Index rank,
                                            const Vector& column);

}  // namespace raak
