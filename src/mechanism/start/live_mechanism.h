// Parameters of an assembled mechanism that change in place: kernels follow by their constants, the start is found anew
// where lengths or drivers have changed, and what was decided at assembly is checked.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kinematics/model.h"
#include "mechanism/start/mechanism_assembly.h"
#include "mechanism/start/near_start.h"
#include "mechanism/start/start_road.h"

namespace raak {

class LiveMechanism final : public LiveParameters {
 public:
  // `motion`: of the bodies, where the model starts; `tree`: in the plane the coordinates of them that are those of the
  // system; empty: all of them.
  LiveMechanism(std::shared_ptr<const Instance> instance, std::shared_ptr<const StartRoad> road,
                const std::shared_ptr<const ConstrainedSystem>& maximal, std::vector<int> tree, FromBodies from_bodies,
                State motion, const Model& model);

  bool set(Model& model, const std::vector<std::pair<std::string, double>>& numbers) override;

 private:
  // Residuals of all rows at a motion, and what is reported of it: where they are the same, so is the start.
  Vector seen_at(const State& motion) const;
  std::vector<double> numbers_of_start() const;
  void follow_length() const;
  bool follow(Model& model);
  // Of the bodies, as a search finds it: without one where the guess is near.
  State find_motion(const StartRequest& start) const;

  std::shared_ptr<const Instance> instance_;
  std::shared_ptr<const StartRoad> road_;
  std::vector<std::shared_ptr<const ConstrainedSystem>> systems_;  // all that have a length
  std::vector<int> tree_;
  FromBodies from_bodies_;
  std::vector<Live> start_values_;  // of the file
  std::vector<double> start_numbers_;
  State motion_;
  Vector seen_;                    // at it; empty until the first change
  std::optional<NearStart> near_;  // none in space, and where rows were dropped
};

}  // namespace raak
