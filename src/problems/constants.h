// The physical constants of a problem as settable parameters: one table row per constant, whose default is the member's
// initialiser, so that a number and its name are written once.
#pragma once
#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/parameters.h"
#include "base/tape/live.h"
#include "kinematics/model.h"

namespace raak {

template <class Problem>
struct Constant {
  const char* name;
  Live Problem::*member;
  const char* unit;
  const char* meaning;
  Range range = Range::any;
};

template <class Problem>
std::vector<Parameter> declare(std::span<const Constant<Problem>> table) {
  const Problem defaults;
  std::vector<Parameter> declared;
  for (const auto& row : table)
    declared.push_back(Parameters::number(row.name, (defaults.*row.member).now(), row.unit, row.meaning, row.range));
  return declared;
}

// `live`: the constants may change in place, and the problem keeps them alive.
template <class Problem>
Problem read_constants(std::span<const Constant<Problem>> table, const Parameters& parameters,
                       const std::shared_ptr<LiveNumbers>& live = nullptr) {
  Problem problem;
  for (const auto& row : table) {
    const double value = parameters.number(row.name);
    problem.*row.member = live ? live->new_parameter(value) : Live(value);
  }
  if constexpr (requires { problem.live; }) problem.live = live;
  return problem;
}

inline bool is_within(Range range, double value) {
  return range == Range::any || (range == Range::positive ? value > 0.0 : value >= 0.0);
}

// Constants of a problem that change in place. `start_of`: the start that belongs to them.
template <class Problem>
class LiveConstants final : public LiveParameters {
 public:
  LiveConstants(std::span<const Constant<Problem>> table, Problem problem, Parameters defaults,
                StartRequest (*start_of)(const Problem&))
      : table_(table), problem_(std::move(problem)), defaults_(std::move(defaults)), start_of_(start_of) {}

  bool set(Model& model, const std::vector<std::pair<std::string, double>>& numbers) override {
    std::vector<std::pair<Live, double>> changes, before;
    for (const auto& [name, value] : numbers) {
      const auto row =
          std::find_if(table_.begin(), table_.end(), [&, &wanted = name](const auto& r) { return r.name == wanted; });
      if (row == table_.end() || !std::isfinite(value) || !is_within(row->range, value)) return false;
      changes.emplace_back(problem_.*row->member, value);
      before.emplace_back(problem_.*row->member, (problem_.*row->member).now());
    }
    if (!problem_.live->set(changes)) return false;
    if (are_defaults()) {  // which have references: built anew
      problem_.live->set(before);
      return false;
    }
    before_.numbers = std::move(before);
    before_.start = std::exchange(model.start, start_of_(problem_));
    before_.references = std::exchange(model.references, {});
    return true;
  }
  bool take_back(Model& model) override {
    model.start = std::move(before_.start);
    model.references = std::move(before_.references);
    return problem_.live->set(before_.numbers);
  }
  long decisions() const override { return problem_.live->pins(); }

 private:
  bool are_defaults() const {
    return std::all_of(table_.begin(), table_.end(),
                       [&](const auto& row) { return (problem_.*row.member).now() == defaults_.number(row.name); });
  }

  struct Before {
    std::vector<std::pair<Live, double>> numbers;
    StartRequest start;
    std::vector<Reference> references;
  };

  std::span<const Constant<Problem>> table_;
  Problem problem_;
  Parameters defaults_;
  Before before_;
  StartRequest (*start_of_)(const Problem&);
};

// The parameters with some of them set: what a run's settings mean.
inline Parameters with_settings(Parameters parameters,
                                const std::vector<std::pair<std::string, std::string>>& settings) {
  for (const auto& [name, value] : settings) parameters.set(name, value);
  return parameters;
}

}  // namespace raak
