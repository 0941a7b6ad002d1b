// Runs a model's runs that have a trusted reference and judges the digits delivered.
#pragma once
#include <atomic>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "study/accuracy.h"
#include "study/history.h"

namespace raak {

struct CheckRequest {
  std::optional<std::string> method;  // none: that of the run, or the default
  std::optional<std::string> run;     // none: every run that has a reference
  std::optional<Form> form;           // none: that of the run
  // Not given: the run's own rtol, at most 1e-10; and atol = rtol.
  std::optional<double> rtol, atol;
  std::vector<std::pair<std::string, std::string>> settings;
  // A file of known values over time (history_file.h) in place of the references: only the first run, or the one that
  // is named, is compared with it, and judged by the tolerance if there is one.
  std::optional<std::string> against;
  double tolerance = 0.0;  // of |found - reference| / max(1, |reference|)
  const std::atomic<bool>* stop = nullptr;
};

struct CheckRow {
  std::string model, run, method;
  std::optional<Form> form;  // none: of a model that cannot be read
  double rtol = 0.0;
  Accuracy accuracy;
  Quality quality;
  double required = 0.0;  // scd
  bool pass = false;
  std::string message;   // why not, or why it was skipped
  bool skipped = false;  // the method does not offer the form of the run
  std::string source = {};
  double tolerance = 0.0;               // of the largest difference; 0: digits are counted instead
  std::vector<Compared> compared = {};  // at the end
  std::vector<Deviation> history = {};  // over time; none where the reference has values at one time only
  bool judged = true;                   // false: there is nothing that it must meet

  // At the end and before.
  std::optional<double> largest_difference() const;
};

std::vector<CheckRow> check_model(const ModelSource& source, const CheckRequest& request);

}  // namespace raak
