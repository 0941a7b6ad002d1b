// A model as a user names it: a system with its parameters, start, runs and the references it is judged by.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/parameters.h"
#include "kinematics/start/consistent_start.h"
#include "system/constrained_system.h"
#include "system/drawing.h"
#include "system/equations/forms.h"

namespace raak {

// In s, or as a multiple of rtol, as the documents have it; neither: chosen by the method.
struct FirstStep {
  double seconds = 0.0, of_rtol = 0.0;

  double at(double rtol) const { return of_rtol > 0.0 ? of_rtol * rtol : seconds; }
};
// Of "1e-6", "rtol" or "0.01*rtol"; none: it is none of these, or not above 0.
std::optional<FirstStep> parse_first_step(const std::string& text);

// What is asked of a model: as the options of `raak run` and [runs.NAME] of a file.
struct Run {
  std::string name;
  std::string title;
  std::vector<std::pair<std::string, std::string>> settings;  // of parameters, on top of the defaults
  double until = 0.0;                                         // s
  double rtol = 1e-6;
  Form form = Form::index1;
  std::optional<double> atol = {};  // none: as rtol
  std::string method = {};          // empty: the default
  FirstStep first_step = {};
  double fixed_step = 0.0;      // s; 0: as the error allows
  double every = 0.0;           // s between samples; 0: every accepted step, or `at`
  std::vector<double> at = {};  // times of samples
};

// Known values of the solution. Components are called q.NAME, v.NAME, a.NAME, lambda.K or by the name of an output.
struct Reference {
  enum class Kind { trusted, published, history };  // history: of a user's own, to compare with over time
  Kind kind = Kind::trusted;
  std::string source;
  std::string remark = {};                                 // why a document's values differ from the trusted ones
  std::string run;                                         // empty: every run
  std::optional<Form> form;                                // none: every form that has no reference of its own
  std::map<double, std::map<std::string, double>> values;  // by time, by component
  std::vector<std::string> scored;                         // components that count for scd
  std::vector<std::string> measured;                       // components that count for mescd
  double required_scd = 0.0;                               // at rtol = atol = 1e-10 with the default method
  double largest_drift = 0.0;                              // J, at the same tolerance; 0: not judged
  double tolerance = 0.0;  // of |found - reference| / max(1, |reference|), at any rtol; 0: not judged

  bool has_time(double t) const { return values.contains(t); }
  bool is_of(Form other) const { return !form || form == other; }
};

// What an assembled mechanism can do, and which of its joints do the same thing twice.
struct MobilityReport {
  int bodies = 0, coordinates = 0, rows = 0, rank = 0;
  int mobility = 0;  // coordinates - rank
  int gruebler = 0;  // coordinates - rows
  int drivers = 0;
  int momentary = 0;                       // rows that are dependent at the start only
  std::vector<std::string> sharing;        // joints that share the redundancy
  std::vector<std::string> indeterminate;  // of their reactions: "low.force.z"
  std::vector<std::string> notes;

  // Motions that the joints leave at first order in this configuration only, and that cannot go on.
  int infinitesimal() const { return coordinates - rank - mobility; }
};

// The widest open row of those that were dropped as redundant.
struct RowGap {
  double size = 0.0;   // SI
  double share = 0.0;  // of the size of the mechanism; of an angle in rad
  Row row;
};

// A zero of a function of the state that matters (see run/watches/events.h).
struct ModelEvent {
  std::string name;
  std::string direction = "any";  // up, down, any
  bool stop = false;
};

// The way from a start by reported names to a state of the system.
class Assembly {
 public:
  virtual ~Assembly() = default;
  virtual State start(const StartRequest& request) const = 0;
  // The same where only the configuration counts, of a model whose motion may have no start.
  virtual State at_rest(const StartRequest& request) const { return start(request); }
};

// Constraint rows that a system does without, since they repeat others where it starts.
class DroppedRows {
 public:
  virtual ~DroppedRows() = default;
  virtual RowGap widest_gap(const State& state) const = 0;
};

struct Model;

// Changes parameters of a model in place, without building it anew.
class LiveParameters {
 public:
  virtual ~LiveParameters() = default;
  // The numbers by name. False, and nothing has changed: the model has to be built anew, since its structure would be
  // another one, or since such a model is refused. No thread may use the model meanwhile.
  virtual bool set(Model& model, const std::vector<std::pair<std::string, double>>& numbers) = 0;
  // Undoes the last set() that said true. False: the model is of no use any more, since what was recorded meanwhile
  // decided by the numbers that are to go.
  virtual bool take_back(Model& model) = 0;
  // Grows where a formula that was recorded on the way has decided by a number, which may change no more: what the
  // model accepts and gives from then on depends on the runs that it has had.
  virtual long decisions() const = 0;
};

struct Model {
  std::shared_ptr<const ConstrainedSystem> system;
  StartRequest start;                             // by reported names
  std::vector<Reference> references;              // valid for the parameters it was built with
  Drawing drawing = {};                           // empty: there is nothing to look at
  std::shared_ptr<const Assembly> assembly = {};  // null: make_consistent
  std::vector<ModelEvent> events = {};
  std::shared_ptr<const ConstrainedSystem> event_functions = {};  // its outputs are those of the events
  std::shared_ptr<const MobilityReport> mobility = {};            // of a mechanism assembled from a file
  std::shared_ptr<const DroppedRows> dropped_rows = {};           // null: every row takes part
  std::shared_ptr<LiveParameters> live = {};                      // null: it has to be built anew for other parameters
  std::string modes_note = {};                                    // what a reader of its modes should know
};

// Leaves only the references that a run is judged by.
inline void keep_references_of(Model& model, const std::string& run) {
  std::erase_if(model.references, [&](const Reference& r) { return !r.run.empty() && r.run != run; });
}

// The consistent start of a model: see make_consistent.
inline State consistent_start(const Model& model, const StartRequest& start) {
  return model.assembly ? model.assembly->start(start) : make_consistent(*model.system, start);
}
// Of Model::event_functions, the function of an event by its number.
inline double event_value(const ConstrainedSystem& functions, std::size_t event, const State& state) {
  Vector values(functions.outputs());
  functions.evaluate_outputs(state, values);
  return values[static_cast<Eigen::Index>(event)];
}
inline State consistent_start(const Model& model) {
  return consistent_start(model, model.start);
}

struct ModelSource {
  std::string name;
  std::string title;
  Parameters parameters;  // with their defaults
  std::vector<Run> runs;  // the first is the default
  // `form`: a system's start may differ for index2, which keeps position offsets.
  std::function<Model(const Parameters& parameters, Form form)> build;
  std::string text = {};  // of a model file, as the user wrote it; none of a built-in model
};

// A run by its name; none: the first. Refuses an unknown name with the nearest one.
const Run& find_run(const ModelSource& source, const std::optional<std::string>& name);

}  // namespace raak
