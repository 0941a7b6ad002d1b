#include "mechanism/formulas/maximal.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "base/tape/derivative.h"
#include "base/text/text.h"
#include "mechanism/bodies/catalogue.h"
#include "mechanism/drivers/drivers.h"
#include "mechanism/forces/catalogue.h"
#include "mechanism/formulas/output_units.h"
#include "mechanism/joints/catalogue.h"

namespace raak {
namespace {

BodyVariables new_body(Tape& tape, const Instance& instance, int body) {
  BodyVariables variables{body, {}, {}};
  for (Reals* part : {&variables.q, &variables.v})
    for (int i = 0; i < instance.bodies()[static_cast<std::size_t>(body)].size; ++i) part->push_back(tape.new_input(1));
  return variables;
}

// As constants, or live ones.
Reals numbers_of(const Body& body) {
  const std::vector<Live> numbers = body.kind->numbers(body);
  return {numbers.begin(), numbers.end()};
}

}  // namespace

MaximalFormulas::MaximalFormulas(std::shared_ptr<const Instance> instance)
    : instance_(std::move(instance)), evaluated_(instance_->mechanism().outputs) {
  Tape tape;
  const Mechanism& mechanism = instance_->mechanism();
  std::map<std::pair<void (*)(const ElementScene&, Rows&), std::size_t>, std::size_t> first_of_kind;
  // Joint by joint, each with the bodies that it ties only.
  const auto name_rows = [&](Row::Level level, std::vector<RowRange>& ranges) {
    for (std::size_t i = 0; i < mechanism.joints.size(); ++i) {
      const JointInfo& info = info_of_joint(mechanism.joints[i]);
      const auto rows_of = level == Row::Level::velocity ? info.velocity_rows : info.rows;
      ranges.push_back({rows_.size(), rows_.size()});
      if (rows_of == nullptr) continue;
      // Without numbers of their own, joints of one type have rows of the same names: the first has those of all.
      const bool alike = std::none_of(info.arguments.begin(), info.arguments.end(), [](const ArgumentInfo& a) {
        return a.kind == ArgumentKind::number || a.kind == ArgumentKind::length;
      });
      const std::pair key{rows_of, mechanism.joints[i].has("pins") ? mechanism.joints[i].at("pins").points.size() : 0};
      if (const auto known = first_of_kind.find(key); alike && known != first_of_kind.end()) {
        const auto [begin, end] = ranges[known->second];
        for (std::size_t k = begin; k < end; ++k) {
          MechanismRow row = rows_[k];
          row.index = i;
          row.owner = mechanism.joints[i].name;
          rows_.push_back(std::move(row));
        }
        ranges.back().end = rows_.size();
        continue;
      }
      first_of_kind.emplace(key, i);
      tape.clear();
      const Tape::Recording recording(tape);
      const Scene scene(*instance_, tape.new_input(0), [&](int body) { return new_body(tape, *instance_, body); });
      Rows rows(mechanism.joints[i].name);
      rows_of(ElementScene(scene, mechanism.joints[i]), rows);
      for (std::size_t k = 0; k < rows.rows.size(); ++k) {
        rows.rows[k].level = level;
        rows_.emplace_back(std::move(rows.rows[k]), i, rows.components[k]);
      }
      ranges.back().end = rows_.size();
    }
  };
  name_rows(Row::Level::position, position_rows_of_joint_);
  for (std::size_t i = 0; i < mechanism.drivers.size(); ++i)
    rows_.emplace_back(
        Row(mechanism.drivers[i].name, "", unit_of_driver(*instance_, mechanism.drivers[i]), Row::Kind::driver), i);
  for (std::size_t i = 0; i < mechanism.constraints.size(); ++i)
    rows_.emplace_back(
        Row(mechanism.constraints[i].name, "", unit_of(mechanism.constraints[i].value.value), Row::Kind::equation), i);
  for (std::size_t i = 0; i < instance_->bodies().size(); ++i)
    if (const char* const row = instance_->bodies()[i].kind->normalized)
      rows_.emplace_back(Row(instance_->bodies()[i].name, row, "", Row::Kind::normalization), i);
  all_position_rows_ = rows_.size();
  name_rows(Row::Level::velocity, velocity_rows_of_joint_);
  kept_.resize(rows_.size());
  std::iota(kept_.begin(), kept_.end(), std::size_t{0});
  directions_.assign(rows_.size(), 0);
}

MaximalFormulas MaximalFormulas::with_references(const std::vector<Vec3n>& references) const {
  MaximalFormulas result = *this;
  result.instance_ = std::make_shared<const Instance>(instance_->with_references(references));
  return result;
}

MaximalFormulas MaximalFormulas::holding(const std::vector<GivenValue>& positions,
                                         const std::vector<GivenValue>& velocities) const {
  MaximalFormulas result = *this;
  const ReportedNames names = reported_names(*this);
  const auto row_of = [](const GivenValue& given, std::string name, const std::string& unit, Row::Level level) {
    MechanismRow row(Row(std::move(name), "", unit.substr(0, unit.find('/')), Row::Kind::given), given.index);
    row.level = level;
    row.value = given.value;
    return row;
  };
  for (const GivenValue& given : positions)
    result.rows_.insert(
        result.rows_.begin() + static_cast<std::ptrdiff_t>(result.all_position_rows_++),
        row_of(given, names.positions[given.index], names.position_units[given.index], Row::Level::position));
  for (RowRange& range : result.velocity_rows_of_joint_)
    range = {range.begin + positions.size(), range.end + positions.size()};
  for (const GivenValue& given : velocities)
    result.rows_.push_back(row_of(given, rate_name(names.velocities[given.index]), names.velocity_units[given.index],
                                  Row::Level::velocity));
  result.kept_.resize(result.rows_.size());
  std::iota(result.kept_.begin(), result.kept_.end(), std::size_t{0});
  result.directions_.assign(result.rows_.size(), 0);
  result.evaluated_.clear();
  return result;
}

int MaximalFormulas::position_rows() const {
  return static_cast<int>(
      std::count_if(kept_.begin(), kept_.end(), [&](std::size_t i) { return rows_[i].level == Row::Level::position; }));
}
int MaximalFormulas::velocity_rows() const {
  return static_cast<int>(kept_.size()) - position_rows();
}

Rows MaximalFormulas::position_rows_of(const Scene& scene) const {
  const Mechanism& mechanism = instance_->mechanism();
  Rows rows("", 0, directions_);
  for (const Element& joint : mechanism.joints) {
    const JointInfo& info = info_of_joint(joint);
    if (info.rows != nullptr) info.rows(ElementScene(scene, joint), rows);
  }
  for (const Element& driver : mechanism.drivers) rows.add("", driver_row(ElementScene(scene, driver)));
  for (const NamedQuantity& equation : mechanism.constraints)
    rows.add("", scene.evaluate(equation.value, Scene::Level::positions));
  for (const Body& body : instance_->bodies())
    if (body.kind->normalized != nullptr)
      rows.add("", body.kind->normalization(scene.frame(static_cast<int>(&body - instance_->bodies().data()))));
  return rows;
}

Rows MaximalFormulas::velocity_rows_of(const Scene& scene) const {
  Rows rows("", all_position_rows_, directions_);
  for (const Element& joint : instance_->mechanism().joints) {
    const JointInfo& info = info_of_joint(joint);
    if (info.velocity_rows != nullptr) info.velocity_rows(ElementScene(scene, joint), rows);
  }
  return rows;
}

std::vector<Rows::Turn> MaximalFormulas::turns(const Scene& scene) const {
  std::vector<Rows::Turn> all;
  const auto add = [&](const Element& joint, const RowRange& range, auto rows_of) {
    const auto begin = directions_.begin() + static_cast<std::ptrdiff_t>(range.begin);
    const auto end = directions_.begin() + static_cast<std::ptrdiff_t>(range.end);
    if (std::all_of(begin, end, [](int set) { return set == 0; })) return;
    Rows rows("", range.begin, directions_);
    rows_of(ElementScene(scene, joint), rows);
    for (Rows::Turn& turn : rows.turns) all.push_back(std::move(turn));
  };
  const std::vector<Element>& joints = instance_->mechanism().joints;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const JointInfo& info = info_of_joint(joints[i]);
    add(joints[i], position_rows_of_joint_[i], info.rows);
    add(joints[i], velocity_rows_of_joint_[i], info.velocity_rows);
  }
  return all;
}

// How far the reported values are from those given.
void MaximalFormulas::add_given(const RecordedState& state, Row::Level level, Reals& values) const {
  const auto is_given = [&](const MechanismRow& row) { return row.kind == Row::Kind::given && row.level == level; };
  if (std::none_of(rows_.begin(), rows_.end(), is_given)) return;
  const Reals shown = level == Row::Level::position ? reported_positions(state.t, state.q)
                                                    : reported_velocities(state.t, state.q, state.v);
  for (const MechanismRow& row : rows_)
    if (is_given(row)) values.push_back(shown[row.index] - row.value);
}

void MaximalFormulas::constraint(const Recorded& t, const Reals& q, Reals& g) const {
  const RecordedState state{t, q, {}, {}, {}};
  Rows rows = position_rows_of(Scene(*instance_, state));
  add_given(state, Row::Level::position, rows.values);
  for (const std::size_t i : kept_)
    if (i < all_position_rows_) g.push_back(rows.values[i]);
}

void MaximalFormulas::velocity_constraint(const Recorded& t, const Reals& q, const Reals& v, Reals& c) const {
  if (velocity_rows() == 0) return;
  const RecordedState state{t, q, v, {}, {}};
  Rows rows = velocity_rows_of(Scene(*instance_, state));
  add_given(state, Row::Level::velocity, rows.values);
  for (const std::size_t i : kept_)
    if (i >= all_position_rows_) c.push_back(rows.values[i - all_position_rows_]);
}

void MaximalFormulas::mass(const Recorded& /*t*/, const Reals& q, SymmetricEntries& M) const {
  for (const Body& body : instance_->bodies())
    if (!body.ground) body.kind->mass(numbers_of(body), q.data() + body.first, body.first, M);
}

Real MaximalFormulas::gravity_potential(const Scene& scene) const {
  const Vector3 gravity = lifted(instance_->gravity());
  Real sum(0.0);
  for (std::size_t i = 1; i < static_cast<std::size_t>(instance_->bodies_of_file()); ++i)
    sum -= instance_->bodies()[i].mass * dot(gravity, scene.frame(static_cast<int>(i)).centre());
  return sum;
}

ForceSink MaximalFormulas::forces_at(const Scene& scene, bool with_weight) const {
  ForceSink sink;
  if (with_weight) sink.add_potential(gravity_potential(scene));
  for (const Element& force : instance_->mechanism().forces)
    info_of_force(force).apply(ElementScene(scene, force), sink);
  return sink;
}

std::size_t MaximalFormulas::coordinate_of(const ForceSink::Direct& direct) const {
  return static_cast<std::size_t>(instance_->bodies()[static_cast<std::size_t>(direct.body)].first + direct.coordinate);
}

void MaximalFormulas::applied_force(const Recorded& t, const Reals& q, const Reals& v, Reals& f) const {
  add_forces(t, q, v, false, f);
}

void MaximalFormulas::add_forces(const Recorded& t, const Reals& q, const Reals& v, bool with_weight, Reals& f) const {
  const RecordedState state{t, q, v, {}, {}};
  const Scene scene(*instance_, state);
  const ForceSink sink = forces_at(scene, with_weight);
  const Gradient pull = gradients({sink.potential}, q).front();
  for (const auto& [i, slope] : pull) f[static_cast<std::size_t>(i)] -= slope;
  const std::vector<Gradient> arms = gradients(sink.measures, q);
  for (std::size_t k = 0; k < arms.size(); ++k)
    for (const auto& [i, arm] : arms[k]) f[static_cast<std::size_t>(i)] += sink.along[k] * arm;
  for (const ForceSink::Direct& d : sink.direct) f[coordinate_of(d)] += d.force;
  // Angles do not depend on where they count from; rounding of a stiff spring's torque is much for a counter.
  for (const Body& body : instance_->bodies())
    if (body.counter) std::fill_n(f.begin() + body.first, body.size, Real(0.0));
}

void MaximalFormulas::force(const Recorded& t, const Reals& q, const Reals& v, Reals& f) const {
  add_forces(t, q, v, true, f);
  for (const Body& body : instance_->bodies()) {
    if (body.kind->turning == 0) continue;
    const Reals own = body.kind->gyroscopic(numbers_of(body), q.data() + body.first, v.data() + body.first);
    const auto first = static_cast<std::size_t>(body.first + body.kind->dimensions());
    for (std::size_t i = 0; i < own.size(); ++i) f[first + i] += own[i];
  }
}

Recorded MaximalFormulas::potential(const Recorded& t, const Reals& q) const {
  // Velocities do not enter a potential; forces that read them see zeros here.
  const RecordedState state{t, q, Reals(q.size(), Real(0.0)), {}, {}};
  return forces_at(Scene(*instance_, state)).potential;
}

Recorded MaximalFormulas::power(const Recorded& t, const Reals& q, const Reals& v) const {
  const RecordedState state{t, q, v, {}, {}};
  const ForceSink sink = forces_at(Scene(*instance_, state));
  const Reals rates = derivative_along(sink.measures, q, v);
  Real total(0.0);
  for (std::size_t i = 0; i < rates.size(); ++i) total += sink.along[i] * rates[i];
  for (const ForceSink::Direct& d : sink.direct) total += d.force * v[coordinate_of(d)];
  return total;
}

}  // namespace raak
