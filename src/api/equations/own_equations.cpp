// Equations of users as a system, through the formulas that mechanisms are made of too.
#include <raak/errors.h>

#include <algorithm>
#include <utility>

#include "api/equations/own_start.h"
#include "api/equations/real.h"
#include "api/model_data.h"
#include "base/text/text.h"
#include "output/formats/csv.h"
#include "system/recorded/recorded_system.h"

namespace raak_v0::detail {
namespace {

Reals outside(const core::Reals& values) {
  Reals result;
  result.reserve(values.size());
  for (const core::Recorded& value : values) result.push_back(detail::outside(value));
  return result;
}

class OwnFormulas final : public core::Formulas {
 public:
  explicit OwnFormulas(std::shared_ptr<const Equations> equations) : own_(std::move(equations)) {}

  void mass(const core::Recorded& t, const core::Reals& q, core::SymmetricEntries& M) const override {
    const RecordingFormulas recording;
    SymmetricMatrix written(M.size());
    own_->mass(detail::outside(t), outside(q), written);
    for (int i = 0; i < M.size(); ++i)
      for (int j = 0; j <= i; ++j)
        if (const core::Recorded entry = inside(written(i, j)); !entry.is_zero()) M(i, j) = entry;
  }
  void force(const core::Recorded& t, const core::Reals& q, const core::Reals& v, core::Reals& f) const override {
    const RecordingFormulas recording;
    Reals written = outside(f);
    own_->force(detail::outside(t), outside(q), outside(v), written);
    for (std::size_t i = 0; i < f.size(); ++i) f[i] = inside(written.at(i));
  }
  void constraint(const core::Recorded& t, const core::Reals& q, core::Reals& g) const override {
    append(own_->position_rows, g, [&](Reals& rows) { own_->constraint(detail::outside(t), outside(q), rows); });
  }
  void velocity_constraint(const core::Recorded& t, const core::Reals& q, const core::Reals& v,
                           core::Reals& c) const override {
    append(own_->velocity_rows, c,
           [&](Reals& rows) { own_->velocity_constraint(detail::outside(t), outside(q), outside(v), rows); });
  }
  core::Recorded potential(const core::Recorded& t, const core::Reals& q) const override {
    const RecordingFormulas recording;
    return inside(own_->potential(detail::outside(t), outside(q)));
  }
  core::Recorded power(const core::Recorded& t, const core::Reals& q, const core::Reals& v) const override {
    const RecordingFormulas recording;
    return inside(own_->power(detail::outside(t), outside(q), outside(v)));
  }
  bool accounts_for_energy() const override { return own_->accounts_for_energy(); }
  void outputs(const core::RecordedState& x, core::Reals& values) const override {
    const RecordedMoment moment{detail::outside(x.t), outside(x.q), outside(x.v), outside(x.a), outside(x.lambda)};
    append(static_cast<int>(own_->description.outputs.size()), values,
           [&](Reals& rows) { own_->output(moment, rows); });
  }

 private:
  template <class Write>
  static void append(int rows, core::Reals& to, const Write& write) {
    const RecordingFormulas recording;
    Reals values(static_cast<std::size_t>(rows), Real(0.0));
    if (rows > 0) write(values);
    for (const Real& value : values) to.push_back(inside(value));
  }
  std::shared_ptr<const Equations> own_;
};

class OwnSystem final : public core::RecordedSystem {
 public:
  explicit OwnSystem(const std::shared_ptr<const Equations>& own)
      : RecordedSystem(std::make_shared<const OwnFormulas>(own), own->coordinates, own->position_rows,
                       own->velocity_rows, described(own->description, own->coordinates)) {}
  // Results show the coordinates that the equations are written in.
  void report(const core::State& state, core::State& shown) const override { shown = state; }
};

// One value of the start: "x" or "q.x" of a position, "v.x" of a velocity.
void place(const Setting& setting, const std::vector<std::string>& names, bool trusted, core::StartRequest& start) {
  std::string name = setting.first;
  const bool velocity = !core::holds(names, name) && name.starts_with("v.");
  if (!core::holds(names, name) && (velocity || name.starts_with("q."))) name.erase(0, 2);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw RequestError(core::unknown_name("coordinate", setting.first, names));
  (velocity ? start.v : start.q)[found - names.begin()] = setting.second;
  if (trusted) (velocity ? start.trusted_velocities : start.trusted_positions).push_back(name);
}

// Two columns of one name could not be distinguished in the results.
void refuse_equal_names(const core::ConstrainedSystem& system) {
  std::vector<std::string> names = core::result_columns(system);
  std::sort(names.begin(), names.end());
  if (const auto twice = std::adjacent_find(names.begin(), names.end()); twice != names.end())
    throw RequestError("two columns of the results are called \"" + *twice +
                       "\"; every coordinate, constraint and output needs a name of its own");
  for (const std::string& output : system.description().outputs)
    if (core::holds(system.description().coordinates, output))
      throw RequestError("the output \"" + output + "\" has the name of a coordinate; call it otherwise");
  for (const std::string& coordinate : system.description().coordinates)
    if (std::binary_search(names.begin(), names.end(), coordinate))
      throw RequestError("the coordinate \"" + coordinate +
                         "\" has the name of a column of the results; call it otherwise");
}

}  // namespace

Equations::Equations(int n, int g, int c, Description names)
    : coordinates(n), position_rows(g), velocity_rows(c), description(std::move(names)) {}
Equations::~Equations() = default;

core::Description described(const Description& own, int coordinates) {
  const auto n = static_cast<std::size_t>(coordinates);
  for (const auto& [what, list] : {std::pair{"names", &own.coordinates}, {"units", &own.units}})
    if (!list->empty() && list->size() != n)
      throw RequestError("expected as many " + std::string(what) + " as coordinates, " + std::to_string(n) +
                         ", or none; found " + std::to_string(list->size()));
  core::Description description;
  description.coordinates = own.coordinates;
  for (const std::string& name : own.constraints) description.constraints.emplace_back(name);
  description.outputs = own.outputs;
  description.units = own.units;
  return description;
}

Model started(const std::shared_ptr<const core::ConstrainedSystem>& system, const StartValues& values,
              const std::string& name) {
  refuse_equal_names(*system);
  core::StartRequest start;
  start.t = values.t;
  start.q = start.v = core::Vector::Zero(system->coordinates());
  start.allow_free = true;
  for (const Setting& setting : values.trust) place(setting, system->description().coordinates, true, start);
  for (const Setting& setting : values.guess) place(setting, system->description().coordinates, false, start);
  core::ModelSource source;
  source.name = source.title = name;
  source.runs = {{.name = "default", .title = {}, .settings = {}, .until = start.t + 1.0}};
  source.build = [system, start](const core::Parameters&, core::Form) {
    core::Model model;
    model.system = system;
    model.start = start;
    return model;
  };
  return Model(std::make_unique<ModelData>(std::move(source)));
}

Model model_of(std::shared_ptr<const Equations> equations, const StartValues& values, const std::string& name) {
  return guarded({}, [&] { return started(std::make_shared<const OwnSystem>(equations), values, name); });
}

}  // namespace raak_v0::detail
