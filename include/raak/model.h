// A model that is ready to run: from a file, a text, a built-in problem, a mechanism or equations of your own.
#pragma once
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "raak/export.h"
#include "raak/result.h"

namespace raak_v0 {

namespace detail {
class ModelData;
}

// A value by its name.
using Setting = std::pair<std::string, double>;

// Where a run is, after an accepted step.
struct Progress {
  double t = 0.0, start = 0.0, until = 0.0;  // s
  long steps = 0;                            // accepted and rejected
};

// What is asked of a run. What is not given is that of the model's run.
struct Options {
  std::optional<double> until = {};  // s; before the start: backwards
  std::optional<double> rtol = {};
  std::optional<double> atol = {};   // as rtol, unless the model's run says otherwise
  std::string method = {};           // see `raak list methods`
  std::string form = {};             // index1, index2, index3, ggl, index1-plain
  std::optional<double> every = {};  // s between samples
  std::vector<double> at = {};       // times of samples, s
  std::optional<double> step = {};   // s: fixed steps
  std::optional<double> h0 = {};     // s: first step
  std::string run = {};              // name of one of the model's runs; empty: the first
  // Only the end counts, as in a sweep: one sample, no measures of quality, and nothing is looked at on the way.
  bool end_only = false;
  // Start values that hold, in place of those of the model, and others that select the branch: "beta", "v.beta",
  // "arm.omega".
  std::vector<Setting> trust = {}, guess = {};
  // Called after each accepted step, by the thread that runs; false: stop here, with a SolveError of cause
  // "interrupted".
  std::function<bool(const Progress&)> progress = {};
};

// A consistent start and how the mechanism can move from there.
struct Start {
  Moment at;
  int coordinates = 0, rows = 0;            // of what is solved for
  int rank = 0, mobility = 0;               // mobility: what joints and drivers leave, degrees of freedom
  std::vector<std::string> notes;           // anything unusual
  int redundant_rows = 0;                   // of the joints, that repeat others
  std::vector<std::string> redundant = {};  // the joints that share them
};

// A value: a copy has parameters of its own. Any number of threads may run one model. `set` while a run or a Stepper of
// it goes on, or while another thread sets it, is refused with a RequestError.
class RAAK_API Model {
 public:
  explicit Model(std::unique_ptr<detail::ModelData> data);
  Model(const Model& other);
  Model(Model&& other) noexcept;
  Model& operator=(const Model& other);
  Model& operator=(Model&& other) noexcept;
  ~Model();

  const std::string& name() const;
  const std::string& title() const;
  std::vector<std::string> runs() const;
  std::vector<std::string> parameters() const;

  double get(std::string_view parameter) const;
  // As it is written: a number, or the word of a choice.
  std::string text(std::string_view parameter) const;
  // Throws where the name is unknown, the value no finite number, or no mechanism can be made with it; the old value
  // then stays, and the model is as it was.
  void set(std::string_view parameter, double value);
  void set(std::string_view parameter, std::string_view choice);  // of a built-in problem: set("beam", "nonlinear")
  // All at once: what lies between them need not be possible.
  void set(const std::vector<Setting>& values);
  // Words of choices among them: set_all({{"beam", "nonlinear"}, {"Omega", 100.0}}).
  void set_all(const std::vector<std::pair<std::string, std::variant<double, std::string>>>& values);

  // Of the options run, form, trust and guess count. Throws AssemblyError.
  Start assemble(const Options& options = {}) const;
  // The model file with the values as they are set. `folder`: where it will lie, so that tables that it names are found
  // from there; empty: the current one. Throws RequestError of a model that comes from no file or Mechanism.
  std::string toml(const std::string& folder = {}) const;
  // The columns of its results.
  std::vector<std::string> columns() const;

  const detail::ModelData& data() const { return *data_; }

 private:
  std::unique_ptr<detail::ModelData> data_;
};

// A model file. Throws ModelError with file, line and column of what is wrong in it.
RAAK_API Model load(const std::string& path);
// The text of one.
RAAK_API Model parse(const std::string& text);
// A built-in model: "andrews", "car-axis", .. (see `raak list models`).
RAAK_API Model problem(const std::string& name);

// Throws RequestError, AssemblyError, or SolveError with what there is until then.
RAAK_API Result run(const Model& model, const Options& options = {});

// "0.1.0"
RAAK_API const char* version();

}  // namespace raak_v0
