// The model of a sweep with what is asked of it, read once and shared by the threads.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "kinematics/model.h"
#include "run/integrate.h"
#include "study/sweep/design/design.h"
#include "study/sweep/store/inputs.h"
#include "study/sweep/sweep_plan.h"

namespace raak {

// What a varied number is.
struct Role {
  enum class Kind { parameter, position, velocity, rtol, atol, until, first_step, fixed_step };
  Kind kind = Kind::parameter;
  Eigen::Index place = 0;    // of a start value among the reported ones
  Range range = Range::any;  // of a parameter
  bool is_setting() const { return kind >= Kind::rtol; }
  bool is_start() const { return kind == Kind::position || kind == Kind::velocity; }
};

// A number, or the samples of a trajectory, that each case gives.
struct KeptColumn {
  std::string name;      // "F.x.max"
  std::string quantity;  // "F.x"
  std::string unit;
  Measure measure;
  std::size_t column = 0;            // among the result columns
  std::size_t first = 0, width = 1;  // among the numbers of a case
};

struct SweptModel {
  SweepPlan plan;
  Design design;
  ModelSource source;
  Run run;  // with what the plan says instead
  Form form = Form::index1;
  Parameters base;                   // those of the file with those of the run
  std::vector<double> typical = {};  // numbers of a case that need not exist, which every thread builds its model with
  std::vector<Role> roles = {};      // of the design's factors
  std::vector<KeptColumn> kept = {};
  std::size_t width = 0;                      // numbers of a case
  std::vector<double> trajectory_times = {};  // s
  std::vector<Inputs::File> files = {};       // that were read, the plan first

  // The parameters of a case.
  Parameters parameters_of(std::span<const double> numbers) const;
  // And its run.
  Run run_of(std::span<const double> numbers) const;
  bool varies_start() const;
  bool varies_settings() const;
};

// Reads the plan with all that it names, and refuses names that the model does not have, with their place in the plan.
SweptModel read_swept_model(const std::string& plan_path, Inputs inputs = {});

// Of the model of a case, which keeps its references only where it begins as the model itself does.
void keep_references_of_start(const SweptModel& swept, const Parameters& parameters, Model& model);

}  // namespace raak
