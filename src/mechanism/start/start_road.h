// How the systems of a mechanism are made and its starts are found: recorded as a whole, or element by element where
// there are many bodies. Assembly is the same for both (assemble.h).
#pragma once
#include <memory>

#include "mechanism/formulas/mechanism_system.h"
#include "mechanism/rows/redundancy.h"

namespace raak {

// A start, and which rows are kept of those that it satisfies.
struct FoundStart {
  State motion;  // of the bodies, without accelerations
  RowChoice rows;
  // All rows in the directions that they were judged in, and their system.
  std::shared_ptr<const MaximalFormulas> judged;
  std::shared_ptr<const ConstrainedSystem> judging;
};

class StartRoad {
 public:
  virtual ~StartRoad() = default;
  // A system of these formulas, which are those of all rows or of some of them.
  virtual std::shared_ptr<ConstrainedSystem> make_system(
      const std::shared_ptr<const MaximalFormulas>& formulas) const = 0;
  // Positions and velocities of the bodies: trusted values hold, guesses choose the branch. Throws a StartFailure.
  virtual State find_motion(const StartRequest& start) const = 0;
  virtual FoundStart find_start(const StartRequest& start) const = 0;

  const std::shared_ptr<const MaximalFormulas>& all() const { return all_; }
  const std::shared_ptr<const ConstrainedSystem>& complete() const { return complete_; }

 protected:
  std::shared_ptr<const MaximalFormulas> all_;         // every row of the mechanism
  std::shared_ptr<const ConstrainedSystem> complete_;  // its system
};

std::shared_ptr<const StartRoad> recorded_road(const std::shared_ptr<const Instance>& instance);
std::shared_ptr<const StartRoad> road_by_elements(const std::shared_ptr<const Instance>& instance);

}  // namespace raak
