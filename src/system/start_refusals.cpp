#include "system/start_refusals.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "system/open_joints.h"

namespace raak {

void refuse_open_joints(const ConstrainedSystem& system, double t, const Vector& start, const Vector& q,
                        const RowMeanings& meanings) {
  Vector g(system.position_rows());
  system.constraint(t, start, g);
  const std::vector<std::string>& names = system.description().constraints;
  for (Eigen::Index i = 0; i < g.size(); ++i)
    if (!std::isfinite(g[i]))
      throw Error(
          ErrorKind::computation,
          fmt::format("constraint \"{}\" has no value at the start: its formula divides by zero there, takes "
                      "the root or logarithm of a negative number, or grows beyond all numbers. Start elsewhere",
                      names[static_cast<std::size_t>(i)]));
  std::vector<OpenJoint> open = find_open_joints(system, t, q, meanings);
  const bool given = !open.empty() && std::all_of(open.begin(), open.end(), [&](const OpenJoint& joint) {
    return std::any_of(meanings.suspects.begin(), meanings.suspects.end(),
                       [&](int row) { return names[static_cast<std::size_t>(row)] == joint.name; });
  });
  const std::string told = text_of(open, given ? "is missed" : "stays open");
  throw AssemblyError(
      given ? fmt::format("the values given cannot be reached: with all joints closed {}. Give fewer of "
                          "them, or other values",
                          told)
            : fmt::format("the mechanism cannot be assembled: at best, with all others closed, {}. Change the "
                          "dimensions, or start from another guess",
                          told),
      std::move(open));
}

}  // namespace raak
