#include "study/bench/bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "run/recording_clock.h"
#include "study/bench/bench_plan.h"

namespace raak {
namespace {

constexpr double seconds_a_row = 0.1;      // repeats go on until this much was measured,
constexpr std::size_t fewest_repeats = 5;  // and so many were made,
constexpr std::size_t enough_repeats = 30;
constexpr double most_seconds = 0.5;  // or this much: a slow run is timed once
constexpr long budget = 1'000'000;    // steps of a run: a method that crawls says so

const char* status_of(Termination termination) {
  if (termination == Termination::ok) return "ok";
  return termination == Termination::failed ? "failed" : "interrupted";
}

bool stopped(const BenchRequest& request) {
  return request.stop != nullptr && request.stop->load(std::memory_order_relaxed);
}

// Median and minimum of bare integrations: no quality measures, no observer. The clock of a virtual machine is off now
// and then by a third of such short times, either way: the minimum is one that was seen three times where there are
// enough repeats.
void measure_time(const Integration& run, BenchRow& row) {
  std::vector<double> seconds;
  double total = 0.0;
  while (total < most_seconds && (total < seconds_a_row || seconds.size() < fewest_repeats)) {
    const Result bare = run(false);
    if (bare.termination == Termination::interrupted) break;
    seconds.push_back(std::max(0.0, bare.statistics.cpu_seconds - seconds_of_a_reading()));
    total += bare.statistics.cpu_seconds;
  }
  if (seconds.empty()) {
    row.status = "interrupted";
    row.message = "stopped before it was timed";
    return;
  }
  std::sort(seconds.begin(), seconds.end());
  const std::size_t half = seconds.size() / 2;
  row.cpu_us = 1e6 * (seconds.size() % 2 == 1 ? seconds[half] : 0.5 * (seconds[half - 1] + seconds[half]));
  row.cpu_us_min = 1e6 * seconds[seconds.size() >= enough_repeats ? 2 : 0];
}

}  // namespace

BenchModel build_bench_model(const ModelSource& source, const BenchRequest& request, Form form) {
  const Run& run = find_run(source, request.run);
  Parameters parameters = source.parameters;
  for (const auto& [name, value] : run.settings) parameters.set(name, value);
  for (const auto& [name, value] : request.settings) parameters.set(name, value);
  BenchModel built{source.build(parameters, form), {}, run.until};
  keep_references_of(built.model, run.name);
  built.start = consistent_start(built.model);
  return built;
}

Plan plan_of(const BenchModel& model, const BenchRequest& request, const BenchRow& row) {
  Plan plan;
  plan.until = model.until;
  plan.method = row.method;
  plan.form = row.form;
  plan.tolerances = Tolerances::uniform(row.rtol, row.atol);
  plan.first_step = row.h0;
  plan.max_steps = budget;
  plan.stop = request.stop;
  return plan;
}

std::optional<double> BenchRow::shortfall() const {
  if (!ok() || !digits) return std::nullopt;
  return -std::log10(rtol) - *digits;
}

void measure_row(const Model& model, const Integration& run, BenchRow& row) {
  try {
    const Result result = run(true);
    row.status = status_of(result.termination);
    row.message = result.message;
    row.energy_drift = result.quality.energy_drift;
    row.work = result.statistics;
    const Accuracy accuracy = measure_accuracy(model, row.form, result, row.rtol, row.atol);
    row.scd = accuracy.scd;
    row.mescd = accuracy.mescd;
    row.digits = position_digits(model, row.form, result);
    row.cpu_us = row.cpu_us_min = 1e6 * result.statistics.cpu_seconds;
    if (row.ok()) measure_time(run, row);
  } catch (const Error& error) {
    row.status = error.kind() == ErrorKind::request ? "refused" : "failed";
    row.message = error.what();
  }
}

std::vector<double> rtol_grid(double loosest, double tightest, int points_a_decade) {
  std::vector<double> grid;
  const double from = std::log10(loosest);
  const double to = std::log10(tightest);
  for (int k = 0;; ++k) {
    const double exponent = from - static_cast<double>(k) / points_a_decade;
    if (exponent < to + 1e-6) break;
    grid.push_back(k == 0 ? loosest : std::pow(10.0, exponent));
  }
  grid.push_back(tightest);
  return grid;
}

namespace {

// Against what the digits of a model without a reference of its own are counted: the default method at a tolerance a
// hundred times tighter than any of the rows. Nothing: this run fails too.
std::optional<Reference> own_reference(const Model& model, const State& start, double until, double tightest,
                                       const std::atomic<bool>* stop) {
  Plan plan;
  plan.until = until;
  const double rtol = std::clamp(0.01 * tightest, 1e-13, 1e-8);
  plan.tolerances = Tolerances::uniform(rtol, rtol);
  plan.max_steps = budget;
  plan.stop = stop;
  try {
    const Result result = integrate(*model.system, start, plan);
    if (result.termination != Termination::ok) return std::nullopt;
    Reference reference;
    reference.source = fmt::format("its own run with auto at rtol {:.0e}", rtol);
    auto& values = reference.values[until] = components(*model.system, result.end, result.outputs);
    for (const auto& [name, value] : values) {
      if (!std::isfinite(value) || std::abs(value) < 1e-9) continue;  // of a zero no digit is right
      if (name.starts_with("q.")) reference.scored.push_back(name);
      if (name.starts_with("q.") || name.starts_with("v.")) reference.measured.push_back(name);
    }
    return reference;
  } catch (const Error&) {
    return std::nullopt;
  }
}

bool has_reference(const Model& model, Form form, double until) {
  return std::any_of(model.references.begin(), model.references.end(), [&](const Reference& r) {
    return r.kind == Reference::Kind::trusted && r.has_time(until) && r.is_of(form);
  });
}

// The rows of one model: what they share, and the reference of a model that has none.
class ModelBench {
 public:
  ModelBench(const ModelSource& source, const BenchRequest& request) : source_(source), request_(request) {}

  std::vector<BenchRow> rows() {
    for (const PlannedSeries& series : planned_series(source_, request_)) {
      add_rows(series);
      if (stopped(request_)) break;
    }
    return std::move(rows_);
  }

 private:
  // A row for each tolerance, and one with the reason why there is none of the others.
  void add_rows(const PlannedSeries& series) {
    BenchRow row;
    row.model = source_.name;
    row.run = find_run(source_, request_.run).name;
    row.method = series.method.name;
    row.form = series.form;
    const std::optional<BenchModel> prepared = series.rtols.empty() ? std::nullopt : prepare(row);
    for (const double rtol : series.rtols) {
      if (stopped(request_)) return;
      add(row, rtol);
      if (prepared) measure(*prepared, rows_.back());
      if (request_.done) request_.done(rows_.back());
      if (!prepared) return;  // for the same reason at every tolerance
    }
    if (series.refusal.empty() || stopped(request_)) return;
    row.status = "refused";
    row.message = series.refusal;
    row.reference.clear();
    add(row, series.refused_rtol);
    if (request_.done) request_.done(rows_.back());
  }

  void add(BenchRow row, double rtol) {
    row.rtol = row.atol = rtol;
    row.h0 = request_.first_step.at(rtol);
    rows_.push_back(std::move(row));
  }

  void measure(const BenchModel& prepared, BenchRow& row) const {
    Plan plan = plan_of(prepared, request_, row);
    const auto once = [&](bool measure_quality) {
      plan.measure_quality = measure_quality;
      return integrate(*prepared.model.system, prepared.start, plan);
    };
    measure_row(prepared.model, once, row);
  }

  std::optional<BenchModel> prepare(BenchRow& row) {
    try {
      BenchModel prepared = build_bench_model(source_, request_, row.form);
      if (!has_reference(prepared.model, row.form, prepared.until)) add_own_reference(prepared, row);
      prepared.model.system->prepare(prepared.start.t, prepared.start.q);  // what a first run pays once is not timed
      return prepared;
    } catch (const Error& error) {
      row.status = "failed";
      row.message = error.what();
      return std::nullopt;
    }
  }

  void add_own_reference(BenchModel& prepared, BenchRow& row) {
    if (!own_was_tried_)
      own_ = own_reference(prepared.model, prepared.start, prepared.until, tightest(), request_.stop);
    own_was_tried_ = true;
    if (!own_) return;
    prepared.model.references.push_back(*own_);
    row.reference = own_->source;
  }
  double tightest() const { return *std::min_element(request_.rtols.begin(), request_.rtols.end()); }

  const ModelSource& source_;
  const BenchRequest& request_;
  std::optional<Reference> own_;  // the first one serves every method
  bool own_was_tried_ = false;
  std::vector<BenchRow> rows_;
};

}  // namespace

std::vector<BenchRow> bench_model(const ModelSource& source, const BenchRequest& request) {
  return ModelBench(source, request).rows();
}

}  // namespace raak
