// What a run yields: columns over time, any moment between them, what it cost and how good it is.
#pragma once
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "raak/export.h"

namespace raak_v0 {

namespace detail {
class Columns;
class ResultData;
}  // namespace detail

struct Statistics {
  long steps = 0, accepted = 0, rejected = 0;
  long evaluations = 0, jacobians = 0, factorizations = 0;
  double cpu_seconds = 0.0;  // of the integration alone
};

struct Quality {
  double position_residual = 0.0, velocity_residual = 0.0;  // SI: maxima over the accepted steps
  double energy_drift = 0.0;                                // J; nan where energy is not accounted for
  std::optional<double> scd, mescd;                         // correct digits, where the model has a reference
};

struct EventTime {
  std::string name;
  double t = 0.0;  // s
};

// All columns at one time.
class RAAK_API Moment {
 public:
  Moment(std::shared_ptr<const detail::Columns> columns, std::vector<double> values);
  double t() const { return values_.front(); }
  // By name, as Result: "OF.angle", "v.OF.angle", "OF.omega", "F.x", "energy.kinetic". Throws RequestError.
  double operator[](std::string_view name) const;
  // In the order of names(), as long as the moment lives: not to be asked of one that nobody keeps.
  std::span<const double> values() const& { return values_; }
  std::span<const double> values() const&& = delete;
  const std::vector<std::string>& names() const;

 private:
  std::shared_ptr<const detail::Columns> columns_;
  std::vector<double> values_;
};

// Copies share the data. What is a span lives as long as the result or a copy of it: keep the result first.
class RAAK_API Result {
 public:
  explicit Result(std::shared_ptr<const detail::ResultData> data) : data_(std::move(data)) {}

  // Of each sample: every accepted step, unless times were asked for.
  std::span<const double> t() const&;
  std::span<const double> t() const&& = delete;
  // A coordinate, a rate, an output, an energy or any other column by its name. Throws RequestError.
  std::span<const double> operator[](std::string_view name) const&;
  std::span<const double> operator[](std::string_view name) const&& = delete;
  // t, q.NAME, v.NAME, a.NAME, lambda.K, outputs, energies, violations: as result.csv has them.
  const std::vector<std::string>& names() const;

  // Where names() has what operator[] would find.
  std::size_t place(std::string_view name) const;

  // Anywhere in the run, by dense output. The first call integrates once more, with the same steps, and keeps them.
  Moment at(double t) const;
  // The same at many times: the columns one after the other, in the order of names().
  std::vector<double> at(std::span<const double> times) const;
  Moment start() const;
  Moment end() const;

  std::string status() const;   // "ok", "failed" or "interrupted"
  std::string message() const;  // what happened and what to try; empty when all went well
  Statistics statistics() const;
  Quality quality() const;
  std::vector<EventTime> events() const;
  std::vector<std::string> warnings() const;
  std::string method() const;  // that was used
  std::string form() const;

  std::string brief() const;  // the summary that `raak run` prints
  std::string json() const;   // the document of `raak run --json`
  // Writes the page of `raak run --out`: one HTML file. Integrates once more for its frames.
  void report(const std::string& path) const;
  // Writes the folder of `raak run --out`: tables, run.json and report.html. An existing folder of results is replaced.
  void save(const std::string& folder) const;

 private:
  std::shared_ptr<const detail::ResultData> data_;
};

}  // namespace raak_v0
