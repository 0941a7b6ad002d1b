// What stands behind raak::Result: the samples by column, and all that is needed to look at the same run again.
#pragma once
#include <raak/model.h>
#include <raak/result.h>

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "api/model_data.h"
#include "api/owned_mutex.h"
#include "api/results/dense.h"
#include "output/formats/json.h"
#include "run/integrate.h"

namespace raak_v0::detail {

// The run that is asked for, with what the model's own run says of the rest.
core::Run asked_run(const core::ModelSource& source, const Options& options);

// All columns at t, from q, v and the energies that are no functions of them: input, dissipation and balance.
Moment moment_of(const BuiltModel& built, double t, const core::Vector& q, const core::Vector& v,
                 const Eigen::Vector3d& work);

class ResultData {
 public:
  using Watch = std::function<bool(const Progress&)>;
  ResultData(std::shared_ptr<const BuiltModel> built, std::string run, core::Plan plan, bool end_only);

  // Integrates; what went wrong on the way is in result(). `watch`: see Options::progress; may be empty.
  void integrate(const Watch& watch);

  const BuiltModel& built() const { return *built_; }
  const core::Result& result() const { return result_; }
  const core::Plan& plan() const { return plan_; }
  std::size_t samples() const { return samples_; }
  std::span<const double> column(std::size_t i) const { return {values_.data() + i * samples_, samples_}; }
  core::RunRecord record() const;
  Moment moment(const core::State& state, const core::Vector& outputs) const;
  Moment at(double t) const;
  std::vector<double> at(std::span<const double> times) const;
  void write_report(const std::string& path) const;
  void write_folder(const std::string& path) const;

 private:
  // q, v and the work done by then: what moment_of() needs.
  const std::vector<DenseStep>& dense() const;
  void look_inside() const;
  core::StepObserver note_steps() const;

  std::shared_ptr<const BuiltModel> built_;
  std::string run_;
  core::Plan plan_;
  bool end_only_;
  core::Result result_;
  std::size_t samples_ = 0;
  std::vector<double> values_;              // column by column
  mutable std::vector<double> step_times_;  // s: the start, and where each accepted step ended; none: nobody looked
  mutable OwnedMutex looking_{
      "the result is being looked at inside its steps: the functions of its model cannot use it meanwhile"};
  mutable bool looked_inside_ = false;
  mutable std::vector<DenseStep> dense_;
};

}  // namespace raak_v0::detail
