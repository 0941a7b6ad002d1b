// What accuracy costs: a run of a model over a grid of tolerances, methods and forms, each row one measured run and
// repeated bare integrations on the thread's CPU clock. Digits as in accuracy.h.
#pragma once
#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "study/accuracy.h"

namespace raak {

// What is known of a row where the energy drift has a limit (drift.h).
struct DriftNote {
  bool held = false;      // at this and every tighter rtol
  bool cheapest = false;  // of those of its method and form
  // Of the cheapest: max |q - q*| / (1 + |q*|) at the ends of its steps, q* a run at the limit of double precision, and
  // the energy balance there, t in s and J.
  std::optional<double> trajectory_error;
  std::vector<std::pair<double, double>> balance;
};

struct BenchRow {
  std::string model, run, method;
  Form form = Form::index1;
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
  std::optional<DriftNote> drift;

  bool ok() const { return status == "ok"; }
  // Digits asked for and not delivered; below 0: more than was asked for.
  std::optional<double> shortfall() const;
};

struct BenchRequest {
  std::optional<std::string> run;    // none: the model's first
  std::vector<double> rtols;         // in any order
  std::vector<std::string> methods;  // none: all of the catalogue, each down to the tightest rtol that it is made for
  std::vector<Form> forms;           // none: own_form where a method has it, else the method's first
  bool all_forms = false;            // that a method has, each once, instead of rows that say which one it lacks
  std::optional<Form> own_form;      // none: that of the run
  FirstStep first_step;
  std::vector<std::pair<std::string, std::string>> settings;
  const std::atomic<bool>* stop = nullptr;
  std::function<void(const BenchRow&)> done;  // called after each row
};

// From the loosest to the tightest, both included, evenly spaced in the exponent.
std::vector<double> rtol_grid(double loosest, double tightest, int points_a_decade);

// How many rows bench_model makes.
std::size_t planned_rows(const ModelSource& source, const BenchRequest& request);

// A run that fails is a row with its reason. When `stop` is set the rows measured so far come back, the last one
// marked.
std::vector<BenchRow> bench_model(const ModelSource& source, const BenchRequest& request);

// One model in one form, ready to be run at any tolerance.
struct BenchModel {
  Model model;
  State start;
  double until = 0.0;  // s
};
BenchModel build_bench_model(const ModelSource& source, const BenchRequest& request, Form form);
// The run that a row is about.
Plan plan_of(const BenchModel& model, const BenchRequest& request, const BenchRow& row);

// One run of a code: measured, or bare to be timed.
using Integration = std::function<Result(bool measure_quality)>;
// Fills a row that has its names and tolerances: a measured run for the digits, then bare ones for the time.
void measure_row(const Model& model, const Integration& run, BenchRow& row);

}  // namespace raak
