// What can be known of a model beside a run: the digits that it delivers, what they cost by each method, and what is
// unusual about it.
#pragma once
#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "raak/export.h"
#include "raak/model.h"

namespace raak_v0 {

// One run beside one reference of the model. Digits as in docs/validation.md.
struct CheckRow {
  std::string run, method, form, reference;
  double rtol = 0.0;
  std::optional<double> scd, mescd, scd_published, mescd_published;
  std::optional<double> largest_difference;                 // of |found - reference| / max(1, |reference|)
  double position_residual = 0.0, velocity_residual = 0.0;  // SI
  double energy_drift = 0.0;                                // J; nan where energy is not accounted for
  double required = 0.0;                                    // scd
  double tolerance = 0.0;                                   // of largest_difference; 0: digits are judged
  bool pass = false, skipped = false;
  std::string message;  // why it does not pass or was skipped
};

// Every run that has a reference, or the one that `options` names; of the options method, form, rtol and atol count.
// What is not given is that of the run, rtol at most 1e-10. `stop` may be set by another thread: what there is
// then comes back.
RAAK_API std::vector<CheckRow> check(const Model& model, const Options& options = {},
                                     const std::atomic<bool>* stop = nullptr);

// One method on one form at one tolerance: a measured run, and repeated bare ones for the time.
struct BenchRow {
  std::string model, run, method, form;
  double rtol = 0.0, atol = 0.0;
  std::string status;                // "ok", "failed", "refused" (never started) or "interrupted"
  std::string message;               // why, when it is not ok
  std::string reference;             // what digits are counted against, if the model brings no reference
  std::optional<double> scd, mescd;  // correct digits
  double energy_drift = 0.0;         // J
  Statistics work;
  double cpu_us = 0.0, cpu_us_min = 0.0;  // median and minimum of the repeats; 0: not timed
};

struct BenchOptions {
  std::vector<std::string> methods = {};  // none: all, each down to the tightest rtol that it is made for
  std::vector<std::string> forms = {};    // none: that of the run, or the nearest that a method has
  std::vector<double> rtol = {};          // none: from 1e-4 to 1e-10, two a decade
  std::string run = {};                   // name of one of the model's runs; empty: the first
  std::optional<double> until = {};       // s; none: that of the run
  std::function<void(const BenchRow&)> done = {};
  const std::atomic<bool>* stop = nullptr;  // when it is set, the rows measured so far come back
};
RAAK_API std::vector<BenchRow> bench(const Model& model, const BenchOptions& options = {});

// What `raak explain` says.
struct Explanation {
  std::string cause;    // a word: "none", "singular pose", "stiffness", "redundancy", ..
  std::string finding;  // in words, with numbers
  std::string advice;   // one thing to try; empty when all is well
  std::string text;     // all of it, for people
  std::string json;     // all of it, for programs
};
// Looks at the start and along a run; of the options run, method, form, rtol, until, trust and guess count.
RAAK_API Explanation explain(const Model& model, const Options& options = {}, const std::atomic<bool>* stop = nullptr);

}  // namespace raak_v0
