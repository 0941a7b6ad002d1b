#include "mechanism/rows/row_watch.h"

#include <algorithm>
#include <cmath>

#include "mechanism/bodies/placement.h"

namespace raak {

namespace {

// Places in all_rows() of the position rows that are not kept.
std::vector<std::size_t> rows_left_out(const MaximalFormulas& all, const MaximalFormulas& kept) {
  std::vector<std::size_t> left_out;
  for (std::size_t i = 0; i < all.all_rows().size(); ++i)
    if (all.all_rows()[i].level == Row::Level::position &&
        !std::binary_search(kept.kept().begin(), kept.kept().end(), i))
      left_out.push_back(i);
  return left_out;
}

RowGap widest_gap(const MaximalFormulas& all, const ConstrainedSystem& complete, const std::vector<std::size_t>& rows,
                  double t, const Vector& q) {
  Vector g(complete.position_rows());
  complete.constraint(t, q, g);
  RowGap widest;
  for (const std::size_t row : rows) {
    const double size = std::abs(g[static_cast<Eigen::Index>(row)]);
    const double share = size / complete.row_scales()[static_cast<Eigen::Index>(row)];
    if (share <= widest.share) continue;
    widest = {size, share, all.all_rows()[row]};
  }
  return widest;
}

}  // namespace

std::function<RowGap(const State&)> watch_left_out_rows(const std::shared_ptr<const MaximalFormulas>& all,
                                                        const MaximalFormulas& kept,
                                                        const std::shared_ptr<const ConstrainedSystem>& system) {
  const std::vector<std::size_t> left_out = rows_left_out(*all, kept);
  if (left_out.empty()) return {};
  const auto complete = std::make_shared<const MechanismSystem>(all);
  return [all, system, complete, left_out](const State& state) {
    State shown;
    system->report(state, shown);
    const State bodies = inner_state(all->instance(), shown.t, shown.q, shown.v);
    return widest_gap(*all, *complete, left_out, bodies.t, bodies.q);
  };
}

std::function<RowGap(const State&)> watch_left_out_rows_of(const std::shared_ptr<const ConstrainedSystem>& complete,
                                                           const std::shared_ptr<const MaximalFormulas>& all,
                                                           const MaximalFormulas& kept) {
  const std::vector<std::size_t> left_out = rows_left_out(*all, kept);
  if (left_out.empty()) return {};
  return
      [all, complete, left_out](const State& state) { return widest_gap(*all, *complete, left_out, state.t, state.q); };
}

}  // namespace raak
