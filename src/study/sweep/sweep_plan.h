// What a sweep consists of: a model, what varies, how its cases are chosen and what is kept of each run. A plan file
// (TOML, docs/sweeps.md) says it.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/text/placed_error.h"
#include "modelfile/text/document.h"
#include "output/formats/json.h"
#include "study/sweep/design/distribution.h"

namespace raak {

enum class DesignKind { grid, random, latin_hypercube, sobol, table };
std::string name_of(DesignKind kind);

// A parameter, a start value or a setting of the run that varies.
struct Factor {
  std::string name;
  Distribution distribution;
  std::size_t levels = 0;   // of a grid
  std::string column = {};  // of the table of cases
  Place place = {};
};

// What is kept of a quantity.
struct Measure {
  enum class Kind { end, min, max, mean, rms, at, event, count, trajectory };
  Kind kind = Kind::end;
  double t = 0.0;          // s, of at
  std::string event = {};  // of event (the time of the first one) and count
  std::string text;        // as written: "at:0.01"
};

struct KeptQuantity {
  std::string name;
  std::vector<Measure> measures;
  Place place = {};
};

// A parameter that has another value than in the model, in all cases.
struct FixedParameter {
  std::string name, value;
  Place place = {};
};

struct SweepPlan {
  std::string path;  // of the file
  std::string model;
  std::optional<std::string> run = {};  // none: the first of the model
  DesignKind design = DesignKind::grid;
  std::uint64_t samples = 0, seed = 1;
  std::string table = {};  // file of cases
  std::vector<FixedParameter> set = {};
  std::vector<Factor> vary = {};
  std::vector<KeptQuantity> keep = {};
  std::vector<double> quantiles = {0.05, 0.5, 0.95};
  std::size_t bins = 20;
  bool sobol_indices = false;
  std::optional<double> rtol = {}, atol = {}, until = {}, every = {};  // instead of those of the run
  std::optional<std::string> method = {};
  std::optional<std::uint64_t> block = {};  // cases of a block file
  Place model_place = {}, run_place = {}, design_place = {}, table_place = {}, every_place = {};
};

// Refuses with file:line:column what is no plan; names of the model are looked at later (swept_model.h).
SweepPlan read_sweep_plan(const std::string& path, const FileReader& read = read_text);

// What is refused in f is refused at a place of the plan.
template <class F>
decltype(auto) at_place(const Place& place, F&& f) {
  try {
    return f();
  } catch (const PlacedError&) {
    throw;
  } catch (const Error& error) {
    refuse_at(place, error.what());
  }
}

// Each key that the rows depend on with its value, as a folder of results remembers them.
Json plan_document(const SweepPlan& plan);

}  // namespace raak
