// From the motion of the bodies to a start in the coordinates of the system.
#pragma once
#include <atomic>
#include <memory>
#include <utility>
#include <vector>

#include "kinematics/model.h"
#include "mechanism/start/start_road.h"

namespace raak {

class MechanismAssembly final : public Assembly {
 public:
  // `tree`: the coordinates of the bodies that are those of the system; empty: all of them. `found`: the motion of the
  // bodies that starts as `own` asks for; none where it was not found.
  MechanismAssembly(std::shared_ptr<const StartRoad> road, std::shared_ptr<const ConstrainedSystem> system,
                    std::vector<int> tree, StartRequest own, State found)
      : road_(std::move(road)),
        system_(std::move(system)),
        tree_(std::move(tree)),
        own_(std::move(own)),
        found_(std::move(found)) {}

  State start(const StartRequest& start) const override;

 private:
  std::shared_ptr<const StartRoad> road_;
  std::shared_ptr<const ConstrainedSystem> system_;
  std::vector<int> tree_;
  StartRequest own_;
  State found_;
  mutable std::atomic<bool> regular_ = false;  // where it is found
};

}  // namespace raak
