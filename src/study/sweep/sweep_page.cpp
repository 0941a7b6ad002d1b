#include "study/sweep/sweep_page.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"
#include "base/version.h"
#include "output/page_data.h"
#include "output/recording.h"
#include "run/run_request.h"
#include "study/sweep/case_runner.h"

namespace raak {
namespace {

constexpr std::uint64_t most_cases_shown = 5000;
constexpr std::size_t most_moving = 32;
constexpr long frames_of_a_case = 60;
constexpr double most_frame_numbers = 1e6;  // of all frames
using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds most_time_of_motions{10};  // after which no more cases run for the page

// The columns of the page: what varies, then what is kept, of the cases that are shown.
struct Shown {
  std::vector<std::uint64_t> cases;
  std::vector<std::vector<double>> columns;
};

Shown shown_rows(const SweepResults& results) {
  const SweptModel& swept = results.swept();
  const std::uint64_t stride = (results.cases() + most_cases_shown - 1) / most_cases_shown;
  std::vector<std::size_t> places;
  for (const KeptColumn& kept : swept.kept)
    if (kept.measure.kind != Measure::Kind::trajectory) places.push_back(kept.first);
  const std::size_t factors = swept.roles.size();
  Shown shown{{}, std::vector<std::vector<double>>(factors + places.size())};
  std::vector<double> numbers(factors);
  results.for_each_block([&](const Block& block) {
    for (std::uint64_t i = 0; i < block.cases(); ++i) {
      if ((block.first + i) % stride != 0) continue;
      shown.cases.push_back(block.first + i);
      swept.design.numbers(block.first + i, numbers);
      for (std::size_t k = 0; k < factors; ++k) shown.columns[k].push_back(numbers[k]);
      for (std::size_t k = 0; k < places.size(); ++k)
        shown.columns[factors + k].push_back(block.values[i * block.width + places[k]]);
    }
  });
  return shown;
}

// The first case of each cause, the extremes of what is kept, and others evenly among all.
std::vector<std::uint64_t> moving_cases(const SweepResults& results, const Shown& shown, std::size_t most) {
  std::set<std::uint64_t> chosen;
  const auto add = [&](std::uint64_t i) {
    if (chosen.size() < most) chosen.insert(i);
  };
  for (const BlockCause& cause : results.causes()) add(cause.first_case);
  for (std::size_t k = results.swept().roles.size(); k < shown.columns.size(); ++k) {
    const std::vector<double>& values = shown.columns[k];
    std::size_t least = values.size(), largest = values.size();
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!std::isfinite(values[i])) continue;
      if (least == values.size() || values[i] < values[least]) least = i;
      if (largest == values.size() || values[i] > values[largest]) largest = i;
    }
    if (least == values.size()) continue;
    add(shown.cases[least]);
    add(shown.cases[largest]);
  }
  for (std::size_t i = 0; i < most; ++i) add(shown.cases[i * shown.cases.size() / most]);
  return {chosen.begin(), chosen.end()};
}

// Frames of a case at as many moments as of any other: of one that fails the last frame stays.
bool append_motion(CaseRunner& runner, std::uint64_t i, const std::atomic<bool>* stop, Recording& recording) {
  const std::size_t before = recording.points.size();
  try {
    const CaseRunner::Case found = runner.prepare(i);
    const Drawing& drawing = found.model.drawing;
    const State start = consistent_start(found.model);
    Plan plan = plan_of(found.run, found.model);
    plan.sample_times.clear();
    plan.frame_times = frame_times(start.t, plan.until, frames_of_a_case);
    State shown;
    std::vector<double> numbers(drawing.numbers());
    const std::size_t wanted = before + plan.frame_times.size() * numbers.size();
    plan.frame = [&](const Sample& sample) {
      found.model.system->report_motion(sample.state, shown);
      drawing.place(shown, numbers);
      if (recording.points.size() < wanted)
        for (const double number : numbers) recording.points.push_back(static_cast<float>(number));
    };
    plan.stop = stop;
    const Result result = integrate(*found.model.system, start, plan);
    if (result.termination == Termination::interrupted) recording.points.resize(before);
    if (recording.points.size() == before) return false;
    while (recording.points.size() < wanted)
      recording.points.push_back(recording.points[recording.points.size() - numbers.size()]);
    return true;
  } catch (const Error&) {
    recording.points.resize(before);
    return false;
  }
}

// Of the first case that there is a model of.
Drawing drawing_of(CaseRunner& runner, const std::vector<std::uint64_t>& cases) {
  for (const std::uint64_t i : cases) {
    try {
      return runner.prepare(i).model.drawing;
    } catch (const Error&) {
    }
  }
  return {};
}

Json rounded(const std::vector<double>& values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(number_or_null(static_cast<double>(static_cast<float>(value))));
  return list;
}

Json column_list(const SweptModel& swept) {
  Json columns = Json::array();
  for (const Factor& factor : swept.design.factors()) {
    std::string unit;
    for (const Parameter& parameter : swept.base.all())
      if (parameter.name == factor.name) unit = parameter.unit;
    columns.push_back({{"name", factor.name}, {"unit", unit}, {"varies", true}});
  }
  for (const KeptColumn& kept : swept.kept)
    if (kept.measure.kind != Measure::Kind::trajectory)
      columns.push_back({{"name", kept.name}, {"unit", kept.unit}, {"varies", false}});
  return columns;
}

}  // namespace

std::string sweep_page(const SweepResults& results, const Json& summary, bool exact, const std::atomic<bool>* stop) {
  if (!has_page()) return "";
  const SweptModel& swept = results.swept();
  const Shown shown = shown_rows(results);
  CaseRunner runner(swept, exact);
  Recording recording;
  recording.columns = {"t"};
  std::vector<std::uint64_t> moving;
  Drawing drawing = drawing_of(runner, shown.cases);
  std::erase_if(drawing.elements, [](const DrawingElement& each) { return each.kind == DrawingElement::Kind::trace; });
  if (!drawing.empty()) {
    const double numbers = static_cast<double>(drawing.numbers() * (frames_of_a_case + 1));
    const auto most =
        static_cast<std::size_t>(std::clamp(most_frame_numbers / numbers, 1.0, static_cast<double>(most_moving)));
    const auto began = Clock::now();
    for (const std::uint64_t i : moving_cases(results, shown, most)) {
      if (!moving.empty() && Clock::now() - began >= most_time_of_motions) break;
      if (stop != nullptr && stop->load()) break;
      if (append_motion(runner, i, stop, recording)) moving.push_back(i);
    }
    const std::size_t frames = drawing.numbers() == 0 ? 0 : recording.points.size() / drawing.numbers();
    for (std::size_t i = 0; i < frames; ++i) recording.frames.push_back(static_cast<double>(i));
  }
  Json rows{{"cases", shown.cases}, {"outcomes", Json::array()}, {"columns", Json::array()}};
  for (const std::uint64_t i : shown.cases) rows["outcomes"].push_back(results.outcomes()[i]);
  for (const std::vector<double>& column : shown.columns) rows["columns"].push_back(rounded(column));
  return page_with({{"sweep",
                     {{"model", swept.source.name},
                      {"title", swept.source.title},
                      {"program", program_name()},
                      {"repeats", results.store().repeats_a_case()},
                      {"design", name_of(swept.plan.design)},
                      {"until", swept.run.until},
                      {"columns", column_list(swept)},
                      {"moving", moving},
                      {"frames_of_a_case", moving.empty() ? 0 : recording.frames.size() / moving.size()}}},
                    {"summary", summary},
                    {"rows", std::move(rows)},
                    {"drawing", drawing_document(drawing)},
                    {"frames", frames_document(recording)}});
}

}  // namespace raak
