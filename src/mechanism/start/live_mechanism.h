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
  bool take_back(Model& model) override;
  long decisions() const override { return instance_->pins(); }

 private:
  // A start with the numbers of the file that it was asked for with.
  struct Start {
    std::vector<double> numbers;
    StartRequest request;
    std::shared_ptr<const Assembly> assembly;
  };
  // Residuals of all rows at the motion of the assembly, and what is reported of it: where they are the same as then,
  // so is the start. Later starts are not compared with: a number may count for nothing at one of them and yet lead to
  // it on another way, with other last bits.
  const Vector& see();
  std::vector<double> numbers_of_start() const;
  bool find_parameters(const std::vector<std::pair<std::string, double>>& numbers);
  void follow_length() const;
  bool follow(Model& model);
  void start_from(Model& model, StartRequest request, std::shared_ptr<const Assembly> assembly);
  // Of the bodies, as a search finds it: without one where the guess is near.
  State find_motion(const StartRequest& start) const;

  std::shared_ptr<const Instance> instance_;
  std::shared_ptr<const StartRoad> road_;
  std::vector<std::shared_ptr<const ConstrainedSystem>> systems_;  // all that have a length
  std::vector<int> tree_;
  FromBodies from_bodies_;
  std::vector<std::string> names_;                         // that were set last
  std::vector<std::pair<Live, double>> numbers_, before_;  // with their numbers
  std::vector<Live> start_values_;                         // of the file
  State motion_;                                           // of the assembly
  Start first_;                                            // the same
  std::optional<Start> replaced_;                          // by the last set(); none: the start has stayed
  Vector seen_;                                            // at it; empty until the first change
  Vector seen_now_, g_, c_;
  State full_, shown_;
  std::optional<NearStart> near_;  // none in space, and where rows were dropped
};

}  // namespace raak
