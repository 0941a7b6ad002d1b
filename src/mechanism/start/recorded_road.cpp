// Starts of a mechanism whose equations are recorded as a whole.
#include "mechanism/start/leaving_singular_rest.h"
#include "mechanism/start/start_motion.h"
#include "mechanism/start/start_road.h"

namespace raak {
namespace {

class RecordedRoad final : public StartRoad {
 public:
  explicit RecordedRoad(const std::shared_ptr<const Instance>& instance) {
    all_ = std::make_shared<const MaximalFormulas>(instance);
    complete_ = std::make_shared<const MechanismSystem>(all_);
  }
  std::shared_ptr<ConstrainedSystem> make_system(
      const std::shared_ptr<const MaximalFormulas>& formulas) const override {
    return std::make_shared<MechanismSystem>(formulas);
  }
  State find_motion(const StartRequest& start) const override { return raak::find_motion(all_, *complete_, start); }
  FoundStart find_start(const StartRequest& start) const override {
    State motion = find_motion(start);
    RowChoice rows = choose_rows(*all_, *complete_, motion);
    leave_singular_rest(all_, *complete_, start, motion, rows);
    return {std::move(motion), std::move(rows), all_, complete_};
  }
};

}  // namespace

std::shared_ptr<const StartRoad> recorded_road(const std::shared_ptr<const Instance>& instance) {
  return std::make_shared<const RecordedRoad>(instance);
}

}  // namespace raak
