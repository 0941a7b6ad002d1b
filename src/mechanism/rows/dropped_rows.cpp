#include "mechanism/rows/dropped_rows.h"

#include <algorithm>
#include <cmath>

#include "mechanism/bodies/placement.h"

namespace raak {
namespace {

// Places in all_rows() of the position rows that are not kept.
std::vector<std::size_t> rows_dropped(const MaximalFormulas& all, const MaximalFormulas& kept) {
  std::vector<std::size_t> dropped;
  for (std::size_t i = 0; i < all.all_rows().size(); ++i)
    if (all.all_rows()[i].level == Row::Level::position &&
        !std::binary_search(kept.kept().begin(), kept.kept().end(), i))
      dropped.push_back(i);
  return dropped;
}

class RowMonitor final : public DroppedRows {
 public:
  RowMonitor(std::shared_ptr<const MaximalFormulas> all, std::shared_ptr<const ConstrainedSystem> complete,
             std::shared_ptr<const ConstrainedSystem> system, std::vector<std::size_t> rows)
      : all_(std::move(all)), complete_(std::move(complete)), system_(std::move(system)), rows_(std::move(rows)) {}

  RowGap widest_gap(const State& state) const override {
    Vector g(complete_->position_rows());
    complete_->constraint(state.t, bodies_in(state), g);
    RowGap widest;
    for (const std::size_t row : rows_) {
      const double size = std::abs(g[static_cast<Eigen::Index>(row)]);
      const double share = size / complete_->row_scales()[static_cast<Eigen::Index>(row)];
      if (share > widest.share) widest = {size, share, all_->all_rows()[row]};
    }
    return widest;
  }

 private:
  Vector bodies_in(const State& state) const {
    if (system_->coordinates() == complete_->coordinates()) return state.q;
    State shown;
    system_->report_motion(state, shown);
    return inner_state(all_->instance(), shown.t, shown.q, shown.v).q;
  }

  std::shared_ptr<const MaximalFormulas> all_;
  std::shared_ptr<const ConstrainedSystem> complete_, system_;
  std::vector<std::size_t> rows_;
};

}  // namespace

std::shared_ptr<const DroppedRows> watch_dropped_rows(const std::shared_ptr<const MaximalFormulas>& all,
                                                      const MaximalFormulas& kept,
                                                      const std::shared_ptr<const ConstrainedSystem>& complete,
                                                      const std::shared_ptr<const ConstrainedSystem>& system) {
  std::vector<std::size_t> dropped = rows_dropped(*all, kept);
  if (dropped.empty()) return nullptr;
  return std::make_shared<const RowMonitor>(all, complete, system, std::move(dropped));
}

}  // namespace raak
