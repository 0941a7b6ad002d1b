#include "study/bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/text.h"
#include "run/recording_clock.h"

namespace raak {
namespace {

constexpr double seconds_a_row = 0.1;      // repeats go on until this much was measured,
constexpr std::size_t fewest_repeats = 5;  // and so many were made,
constexpr std::size_t enough_repeats = 30;
constexpr double most_seconds = 0.5;  // or this much: a slow run is timed once
constexpr long budget = 1'000'000;    // steps of a run: a method that crawls says so

bool offers(const MethodInfo& method, const std::string& form) {
  return std::find(method.forms.begin(), method.forms.end(), form) != method.forms.end();
}

// Accelerations of index 1 with projection onto both levels are one method, whether it is called index1, index3 or ggl.
bool repeats_index_one(const MethodInfo& method, const std::string& form) {
  return method.forms.front() == "index1" && (form == "index3" || form == "ggl");
}

std::vector<std::string> forms_of(const MethodInfo& method, const Run& run, const BenchRequest& request) {
  if (!request.forms.empty()) return request.forms;
  return {offers(method, run.form) || method.forms.empty() ? run.form : method.forms.front()};
}

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

// One model in one form, ready to be run at any tolerance.
struct Prepared {
  Model model;
  State start;
};

void measure(const Prepared& prepared, const Run& run, const BenchRequest& request, BenchRow& row) {
  Plan plan;
  plan.until = run.until;
  plan.method = row.method;
  plan.form = row.form;
  plan.tolerances = Tolerances::uniform(row.rtol, row.atol);
  plan.first_step = request.first_step;
  plan.max_steps = budget;
  plan.stop = request.stop;
  const auto once = [&](bool measure_quality) {
    plan.measure_quality = measure_quality;
    return integrate(*prepared.model.system, prepared.start, plan);
  };
  measure_row(prepared.model, once, row);
}

}  // namespace

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

bool has_reference(const Model& model, const std::string& form, double until) {
  return std::any_of(model.references.begin(), model.references.end(), [&](const Reference& r) {
    return r.kind == Reference::Kind::trusted && r.has_time(until) && (r.form.empty() || r.form == form);
  });
}

// The rows of one model: what they share, and the reference of a model that has none.
class ModelBench {
 public:
  ModelBench(const ModelSource& source, const BenchRequest& request)
      : source_(source), request_(request), run_(source.runs.front()), parameters_(source.parameters) {
    for (const auto& [name, value] : run_.settings) parameters_.set(name, value);
    for (const auto& [name, value] : request.settings) parameters_.set(name, value);
    rtols_ = request.rtols;
    std::sort(rtols_.rbegin(), rtols_.rend());
  }

  std::vector<BenchRow> rows() {
    for (const MethodInfo& method : methods())
      for (const std::string& form : forms_of(method, run_, request_)) {
        if (request_.all_forms && (!offers(method, form) || repeats_index_one(method, form))) continue;
        add_rows(method, form);
        if (stopped(request_)) return std::move(rows_);
      }
    return std::move(rows_);
  }

 private:
  std::vector<MethodInfo> methods() const {
    if (request_.methods.empty()) return method_catalogue();
    std::vector<MethodInfo> named;
    for (const std::string& name : request_.methods) named.push_back(find_method(name));
    return named;
  }

  // A row for each tolerance, or one with the reason why there is none.
  void add_rows(const MethodInfo& method, const std::string& form) {
    BenchRow row;
    row.model = source_.name;
    row.method = method.name;
    row.form = form;
    row.h0 = request_.first_step;
    const std::optional<Prepared> prepared = prepare(method, row);
    for (const double rtol : rtols_) {
      if (stopped(request_)) return;
      row.rtol = row.atol = rtol;
      rows_.push_back(row);
      if (prepared) measure(*prepared, run_, request_, rows_.back());
      if (request_.done) request_.done(rows_.back());
      if (!prepared) return;  // for the same reason at every tolerance
    }
  }

  std::optional<Prepared> prepare(const MethodInfo& method, BenchRow& row) {
    if (!offers(method, row.form)) {
      row.status = "refused";
      row.message =
          fmt::format("method \"{}\" has no form \"{}\"; it has: {}", method.name, row.form, join(method.forms));
      return std::nullopt;
    }
    try {
      Prepared prepared{source_.build(parameters_, row.form), {}};
      prepared.start = consistent_start(prepared.model);
      if (!has_reference(prepared.model, row.form, run_.until)) add_own_reference(prepared, row);
      prepared.model.system->prepare(prepared.start.t, prepared.start.q);  // what a first run pays once is not timed
      return prepared;
    } catch (const Error& error) {
      row.status = "failed";
      row.message = error.what();
      return std::nullopt;
    }
  }

  void add_own_reference(Prepared& prepared, BenchRow& row) {
    if (!own_was_tried_) own_ = own_reference(prepared.model, prepared.start, run_.until, rtols_.back(), request_.stop);
    own_was_tried_ = true;
    if (!own_) return;
    prepared.model.references.push_back(*own_);
    row.reference = own_->source;
  }

  const ModelSource& source_;
  const BenchRequest& request_;
  const Run& run_;
  Parameters parameters_;
  std::vector<double> rtols_;     // loosest first
  std::optional<Reference> own_;  // the first one serves every method
  bool own_was_tried_ = false;
  std::vector<BenchRow> rows_;
};

}  // namespace

std::vector<BenchRow> bench_model(const ModelSource& source, const BenchRequest& request) {
  return request.rtols.empty() ? std::vector<BenchRow>() : ModelBench(source, request).rows();
}

std::vector<BenchSeries> series_of(const std::vector<BenchRow>& rows) {
  std::vector<BenchSeries> all;
  for (const BenchRow& row : rows) {
    const auto same = std::find_if(all.begin(), all.end(), [&](const BenchSeries& s) {
      return s.front()->model == row.model && s.front()->method == row.method && s.front()->form == row.form;
    });
    if (same == all.end()) all.push_back({&row});
    else same->push_back(&row);
  }
  for (BenchSeries& series : all) {
    std::stable_sort(series.begin(), series.end(), [](const auto* a, const auto* b) { return a->rtol > b->rtol; });
  }
  return all;
}

const BenchRow* cost_at(const BenchSeries& series, double scd) {
  const BenchRow* found = nullptr;
  for (std::size_t left = series.size(); left-- > 0;) {
    const BenchRow& row = *series[left];
    if (!row.ok() || !row.scd || *row.scd < scd) break;
    found = &row;
  }
  return found;
}

std::optional<double> worst_shortfall(const BenchSeries& series) {
  std::optional<double> worst;
  for (const BenchRow* row : series) {
    if (const auto one = row->shortfall()) worst = std::max(worst.value_or(*one), *one);
  }
  return worst;
}

double worst_backslide(const BenchSeries& series) {
  double worst = 0.0;
  double best_so_far = -INFINITY;
  for (const BenchRow* row : series) {
    if (!row->ok() || !row->digits) continue;
    worst = std::max(worst, best_so_far - *row->digits);
    best_so_far = std::max(best_so_far, *row->digits);
  }
  return worst;
}

}  // namespace raak
