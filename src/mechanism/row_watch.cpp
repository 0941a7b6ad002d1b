#include "mechanism/row_watch.h"

#include <algorithm>
#include <cmath>

#include "mechanism/placement.h"

namespace raak {

std::function<RowGap(const State&)> watch_left_out_rows(const std::shared_ptr<const MaximalFormulas>& all,
                                                        const MaximalFormulas& kept,
                                                        const std::shared_ptr<const ConstrainedSystem>& system) {
  std::vector<std::size_t> left_out;
  for (std::size_t i = 0; i < all->all_rows().size(); ++i)
    if (!all->all_rows()[i].velocity && !std::binary_search(kept.kept().begin(), kept.kept().end(), i))
      left_out.push_back(i);
  if (left_out.empty()) return {};
  const auto complete = std::make_shared<const MechanismSystem>(all);
  return [all, system, complete, left_out](const State& state) {
    State shown;
    system->report(state, shown);
    const State bodies = inner_state(all->instance(), shown.t, shown.q, shown.v);
    Vector g(complete->position_rows());
    complete->constraint(bodies.t, bodies.q, g);
    RowGap widest;
    for (const std::size_t row : left_out) {
      const double size = std::abs(g[static_cast<Eigen::Index>(row)]);
      if (size <= widest.size) continue;
      widest = {size, all->all_rows()[row].name, all->all_rows()[row].kind == RowOwner::Kind::driver};
    }
    return widest;
  };
}

}  // namespace raak
