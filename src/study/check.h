// Runs a model's runs that have a trusted reference and judges the digits delivered.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "study/accuracy.h"

namespace raak {

struct CheckRequest {
  std::string method = "auto";
  std::optional<std::string> run;   // none: every run that has a reference
  std::optional<std::string> form;  // none: that of the run
  // Not given: the run's own rtol, at most 1e-10; and atol = rtol.
  std::optional<double> rtol, atol;
  std::vector<std::pair<std::string, std::string>> settings;
};

struct CheckRow {
  std::string model, run, method, form;
  double rtol = 0.0;
  Accuracy accuracy;
  Quality quality;
  double required = 0.0;  // scd
  bool pass = false;
  std::string message;   // why not, or why it was skipped
  bool skipped = false;  // the method does not offer the form of the run
  std::string source = {};
  double tolerance = 0.0;  // of the largest difference; 0: digits are counted instead
  std::vector<Compared> compared = {};

  std::optional<double> largest_difference() const;
};

std::vector<CheckRow> check_model(const ModelSource& source, const CheckRequest& request);

}  // namespace raak
