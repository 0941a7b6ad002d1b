// A model as a user names it: a system with its parameters, start, runs and the references it is judged by.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/parameters.h"
#include "system/consistent_start.h"
#include "system/constrained_system.h"
#include "system/drawing.h"

namespace raak {

// Which level of the constraints the method imposes: see docs/notation.md.
inline const std::vector<std::string>& form_names() {
  static const std::vector<std::string> names{"index1", "index2", "index3", "ggl"};
  return names;
}

struct Run {
  std::string name;
  std::string title;
  std::vector<std::pair<std::string, std::string>> settings;  // of parameters, on top of the defaults
  double until = 0.0;                                         // s
  double rtol = 1e-6;
  std::string form = "index1";
};

// Known values of the solution. Components are called q.NAME, v.NAME, a.NAME, lambda.K or by the name of an output.
struct Reference {
  enum class Kind { trusted, published };
  Kind kind = Kind::trusted;
  std::string source;
  std::string form;                                        // empty: every form that has no reference of its own
  std::map<double, std::map<std::string, double>> values;  // by time, by component
  std::vector<std::string> scored;                         // components that count for scd
  std::vector<std::string> measured;                       // components that count for mescd
  double required_scd = 0.0;                               // at rtol = atol = 1e-10 with the default method
  double largest_drift = 0.0;                              // J, at the same tolerance; 0: not judged

  bool has_time(double t) const { return values.contains(t); }
};

struct Model {
  std::shared_ptr<const ConstrainedSystem> system;
  StartRequest start;
  std::vector<Reference> references;  // valid for the parameters it was built with
  Drawing drawing = {};               // empty: there is nothing to look at
};

struct ModelSource {
  std::string name;
  std::string title;
  Parameters parameters;  // with their defaults
  std::vector<Run> runs;  // the first is the default
  // `form`: a system's start may differ for index2, which keeps position offsets.
  std::function<Model(const Parameters& parameters, const std::string& form)> build;
};

}  // namespace raak
