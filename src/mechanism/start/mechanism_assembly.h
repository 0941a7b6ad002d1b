// From the motion of the bodies to a start in the coordinates of the system.
#pragma once
#include <atomic>
#include <functional>
#include <memory>
#include <utility>

#include "kinematics/model.h"
#include "mechanism/start/start_road.h"

namespace raak {

// Coordinates of a system and their rates from those of the bodies; null: they are the same.
using FromBodies = std::function<State(const State& motion)>;

class MechanismAssembly final : public Assembly {
 public:
  // `found`: the motion of the bodies that starts as `own` asks for; none where it was not found.
  MechanismAssembly(std::shared_ptr<const StartRoad> road, std::shared_ptr<const ConstrainedSystem> system,
                    FromBodies from_bodies, StartRequest own, State found)
      : road_(std::move(road)),
        system_(std::move(system)),
        from_bodies_(std::move(from_bodies)),
        own_(std::move(own)),
        found_(std::move(found)) {}

  State start(const StartRequest& start) const override;

 private:
  std::shared_ptr<const StartRoad> road_;
  std::shared_ptr<const ConstrainedSystem> system_;
  FromBodies from_bodies_;
  StartRequest own_;
  State found_;
  mutable std::atomic<bool> regular_ = false;  // where it is found
};

}  // namespace raak
