// What accuracy costs: a model's default run over a grid of tolerances, methods and forms, each row one measured run
// and repeated bare integrations on the thread's CPU clock. Digits as in accuracy.h.
#pragma once
#include <array>
#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "study/accuracy.h"

namespace raak {

struct BenchRow {
  std::string model, method, form;
  double rtol = 0.0, atol = 0.0;
  double h0 = 0.0;            // s, 0: chosen by the method
  std::string status = "ok";  // ok, failed, refused (never started) or interrupted
  std::string message;        // why, when it is not ok
  std::string reference;      // what digits are counted against, if it is not a solution that the model brings
  std::optional<double> scd, mescd;
  std::optional<double> digits;  // of q, error against 1 + |q|
  double energy_drift = 0.0;     // J
  Statistics work;
  double cpu_us = 0.0;      // median of the repeated integrations
  double cpu_us_min = 0.0;  // their minimum: what ratios use

  bool ok() const { return status == "ok"; }
  // Digits asked for and not delivered; below 0: more than was asked for.
  std::optional<double> shortfall() const;
};

struct BenchRequest {
  std::vector<double> rtols;         // in any order
  std::vector<std::string> methods;  // none: all of the catalogue
  std::vector<std::string> forms;    // none: the run's form where a method has it, else the method's first
  bool all_forms = false;            // that a method has, each once, instead of rows that say which one it lacks
  double first_step = 0.0;           // s, 0: chosen by the method
  std::vector<std::pair<std::string, std::string>> settings;
  const std::atomic<bool>* stop = nullptr;
  std::function<void(const BenchRow&)> done;  // called after each row
};

// From the loosest to the tightest, both included, evenly spaced in the exponent.
std::vector<double> rtol_grid(double loosest, double tightest, int points_a_decade);

// A run that fails is a row with its reason. When `stop` is set the rows measured so far come back, the last one
// marked.
std::vector<BenchRow> bench_model(const ModelSource& source, const BenchRequest& request);

// One run of a code: measured, or bare to be timed.
using Integration = std::function<Result(bool measure_quality)>;
// Fills a row that has its names and tolerances: a measured run for the digits, then bare ones for the time.
void measure_row(const Model& model, const Integration& run, BenchRow& row);

// The rows of one model, method and form, from loose to tight.
using BenchSeries = std::vector<const BenchRow*>;
std::vector<BenchSeries> series_of(const std::vector<BenchRow>& rows);

// The accuracies at which methods are compared, scd.
inline constexpr std::array<double, 4> bench_levels{3.0, 5.0, 8.0, 10.0};

// The run at the loosest rtol from which every tighter rtol reaches `scd` too: no lucky points. Null: there is none.
const BenchRow* cost_at(const BenchSeries& series, double scd);

// The largest shortfall of a series, and the most digits that a tighter rtol lost against a looser one.
std::optional<double> worst_shortfall(const BenchSeries& series);
double worst_backslide(const BenchSeries& series);

}  // namespace raak
