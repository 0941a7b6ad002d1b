#include "study/bench/drift.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/error.h"

namespace raak {
namespace {

constexpr double reference_rtol = 1e-13;
constexpr std::size_t most_points = 200;  // of a curve in a diagram

struct Trajectory {
  std::vector<double> t;  // s
  std::vector<Vector> q;
  std::vector<double> balance;  // J
};

// At the ends of its steps, or at the times of the plan. Empty: the run did not reach its end.
Trajectory trajectory_of(const BenchModel& model, const Plan& plan) {
  Trajectory path;
  const std::vector<std::string> names = output_names(*model.model.system);
  const auto balance = std::find(names.begin(), names.end(), "energy.balance") - names.begin();
  const Result result = integrate(*model.model.system, model.start, plan, [&](const Sample& sample) {
    path.t.push_back(sample.state.t);
    path.q.push_back(sample.state.q);
    path.balance.push_back(sample.outputs[balance]);
  });
  return result.termination == Termination::ok ? path : Trajectory();
}

std::optional<double> largest_error(const Trajectory& path, const Trajectory& reference) {
  if (path.t.empty() || reference.t.size() != path.t.size()) return std::nullopt;
  double worst = 0.0;
  for (std::size_t i = 0; i < path.t.size(); ++i)
    for (Eigen::Index k = 0; k < path.q[i].size(); ++k)
      worst = std::max(worst, std::abs(path.q[i][k] - reference.q[i][k]) / (1.0 + std::abs(reference.q[i][k])));
  return worst;
}

// The largest of each of `most_points` stretches of the run.
std::vector<std::pair<double, double>> thinned(const Trajectory& path) {
  std::vector<std::pair<double, double>> points;
  const std::size_t stretch = path.t.size() / most_points + 1;
  for (std::size_t i = 0; i < path.t.size(); i += stretch) {
    std::size_t largest = i;
    for (std::size_t k = i; k < std::min(i + stretch, path.t.size()); ++k)
      if (std::abs(path.balance[k]) > std::abs(path.balance[largest])) largest = k;
    points.emplace_back(path.t[largest], path.balance[largest]);
  }
  return points;
}

void look_again(const ModelSource& source, const BenchRequest& request, BenchRow& row) {
  try {
    const BenchModel model = build_bench_model(source, request, row.form);
    const Plan plan = plan_of(model, request, row);
    const Trajectory path = trajectory_of(model, plan);
    row.drift->balance = thinned(path);
    Plan tight;
    tight.until = plan.until;
    tight.tolerances = Tolerances::uniform(reference_rtol, reference_rtol);
    tight.stop = plan.stop;
    tight.sample_times = path.t;
    if (!path.t.empty()) row.drift->trajectory_error = largest_error(path, trajectory_of(model, tight));
  } catch (const Error&) {  // a peer, which cannot be run from here: there is nothing to look at
  }
}

}  // namespace

void judge_drift(const ModelSource& source, const BenchRequest& request, double limit, std::vector<BenchRow>& rows) {
  for (BenchRow& row : rows) row.drift.emplace();
  std::vector<BenchRow*> cheapest;
  for (const BenchSeries& series : series_of(rows)) {
    const auto of_rows = [&](const BenchRow* row) { return &rows[static_cast<std::size_t>(row - rows.data())]; };
    for (const BenchRow* row : held_drift(series, limit)) of_rows(row)->drift->held = true;
    if (const BenchRow* row = cheapest_within(series, limit)) cheapest.push_back(of_rows(row));
  }
  for (BenchRow* row : cheapest) {
    row->drift->cheapest = true;
    if (request.stop == nullptr || !request.stop->load()) look_again(source, request, *row);
  }
}

bool any_holds_drift(const std::vector<BenchRow>& rows) {
  return std::any_of(rows.begin(), rows.end(), [](const BenchRow& row) { return row.drift && row.drift->cheapest; });
}

std::string reached_drift(const BenchSeries& series, double limit) {
  const BenchRow* const least = smallest_drift(series);
  if (least == nullptr) {
    const bool ended = std::any_of(series.begin(), series.end(), [](const BenchRow* row) { return row->ok(); });
    return ended ? "the energy drift is not known" : "no run reached its end: " + series.front()->message;
  }
  if (least->energy_drift < limit)
    return fmt::format("{:.1e} J at rtol {:.1e}, but not at every tighter one", least->energy_drift, least->rtol);
  return fmt::format("no less than {:.1e} J, at rtol {:.1e}", least->energy_drift, least->rtol);
}

}  // namespace raak
