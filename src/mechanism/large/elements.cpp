#include "mechanism/large/elements.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "mechanism/drivers/drivers.h"
#include "mechanism/forces/catalogue.h"
#include "mechanism/joints/catalogue.h"

namespace raak {
namespace {

template <class Kernels>
const Kernels* find_or_add(std::unordered_multimap<std::uint64_t, std::unique_ptr<Kernels>>& known,
                           const ElementFormulas& recorded) {
  const std::uint64_t hash = recorded.hash();
  const auto [begin, end] = known.equal_range(hash);
  for (auto i = begin; i != end; ++i)
    if (i->second->formulas().same_formulas(recorded)) return i->second.get();
  return known.emplace(hash, std::make_unique<Kernels>(recorded))->second.get();
}

// Records elements one after the other into the same memory.
class Collector {
 public:
  Collector(const MaximalFormulas& formulas, Elements& to)
      : formulas_(formulas), instance_(formulas.instance()), to_(to) {}

  void add_rows(const Draw& draw, std::vector<int> rows, bool unit_length = false) {
    if (rows.empty()) return;
    record_formulas(instance_, draw, recorded_);
    RowElement element;
    place(element);
    element.kernels = to_.library->rows(recorded_);
    element.rows = std::move(rows);
    element.unit_length = unit_length;
    to_.rows.push_back(std::move(element));
  }
  // A row whose formula is that of an element before it, with other numbers.
  void add_alike(const RowKernels* kernels, int body, const std::vector<Live>& numbers, std::vector<int> rows) {
    RowElement element;
    element.bodies = {body};
    element.parameters = to_.library->keep(numbers);
    element.kernels = kernels;
    element.rows = std::move(rows);
    to_.rows.push_back(std::move(element));
  }
  void add_force(std::size_t number) {
    const Element& force = instance_.mechanism().forces[number];
    record_formulas(
        instance_,
        [&](const Scene& scene, ElementFormulas& to) {
          info_of_force(force).apply(ElementScene(scene, force), to.sink);
        },
        recorded_);
    ForceElement element;
    place(element);
    if (element.bodies.empty()) return;  // between points of the ground
    element.kernels = to_.library->forces(recorded_);
    element.force = number;
    to_.forces.push_back(std::move(element));
  }
  // Kept rows among those of a range: their numbers in the range, and their multipliers.
  struct Kept {
    std::vector<std::size_t> inside;
    std::vector<int> multipliers;
  };
  Kept kept_of(const RowRange& range) const {
    const std::vector<std::size_t>& kept = formulas_.kept();
    Kept result;
    auto next = std::lower_bound(kept.begin(), kept.end(), range.begin);
    for (; next != kept.end() && *next < range.end; ++next) {
      result.inside.push_back(*next - range.begin);
      result.multipliers.push_back(static_cast<int>(next - kept.begin()));
    }
    return result;
  }

 private:
  void place(ElementPlace& element) {
    for (const BodyVariables& body : recorded_.bodies) element.bodies.push_back(body.body);
    element.parameters = to_.library->keep(recorded_.parameters());
  }

  const MaximalFormulas& formulas_;
  const Instance& instance_;
  Elements& to_;
  ElementFormulas recorded_;
};

void add_joint(Collector& collector, const MaximalFormulas& formulas, std::size_t number) {
  const Element& joint = formulas.instance().mechanism().joints[number];
  const JointInfo& info = info_of_joint(joint);
  const Collector::Kept position = collector.kept_of(formulas.position_rows_of_joint(number));
  const Collector::Kept velocity = collector.kept_of(formulas.velocity_rows_of_joint(number));
  std::vector<int> rows = position.multipliers;
  rows.insert(rows.end(), velocity.multipliers.begin(), velocity.multipliers.end());
  const auto draw = [&](const Scene& scene, ElementFormulas& to) {
    const auto take = [&](auto rows_of, const RowRange& range, const Collector::Kept& kept, Reals& values) {
      if (kept.inside.empty()) return;
      Rows all("", range.begin, formulas.directions());
      rows_of(ElementScene(scene, joint), all);
      for (const std::size_t i : kept.inside) values.push_back(all.values[i]);
    };
    take(info.rows, formulas.position_rows_of_joint(number), position, to.position);
    take(info.velocity_rows, formulas.velocity_rows_of_joint(number), velocity, to.velocity);
  };
  collector.add_rows(draw, std::move(rows));
}

// The body and the number of the component behind each reported value.
std::vector<std::pair<int, int>> owners_of(const Instance& instance, bool velocity) {
  std::vector<std::pair<int, int>> owners;
  for (std::size_t b = 1; b < static_cast<std::size_t>(instance.bodies_of_file()); ++b) {
    const Body& body = instance.bodies()[b];
    const std::size_t count = (velocity ? body.kind->velocities : body.kind->positions).size();
    for (int i = 0; i < static_cast<int>(count); ++i) owners.emplace_back(static_cast<int>(b), i);
  }
  return owners;
}

Real reported_value(const Scene& scene, int body, int component, bool velocity) {
  const Frame& f = scene.frame(body);
  const int d = scene.instance().dimensions();
  if (component < d) {
    const Vector3 origin = f.point({});
    return velocity ? scene.rate(origin)[component] : origin[component];
  }
  return velocity ? scene.angular_velocity(body)[3 - f.body->kind->turning + component - d] : f.q[component];
}

}  // namespace

const RowKernels* ElementLibrary::rows(const ElementFormulas& recorded) {
  return find_or_add(rows_, recorded);
}
const ForceKernels* ElementLibrary::forces(const ElementFormulas& recorded) {
  return find_or_add(forces_, recorded);
}
const BodyKernels* ElementLibrary::bodies(const BodyKind& kind) {
  auto& entry = bodies_[&kind];
  if (!entry) entry = std::make_unique<BodyKernels>(kind);
  return entry.get();
}
const KernelsBySolve* ElementLibrary::pair(const RowKernels* row, const RowKernels* column,
                                           const std::vector<SharedBody>& shared) {
  PairKernels& entry = pairs_[{row, column, shared}];
  if (entry.all) return &entry.solve;
  entry.all = record_pair(*row, *column, shared, false);
  entry.solve.fill(entry.all.get());
  if (row->rows() > row->position_rows() || column->rows() > column->position_rows()) {
    entry.of_positions = record_pair(*row, *column, shared, true);
    entry.solve[static_cast<std::size_t>(Solve::positions)] = entry.of_positions.get();
  }
  return &entry.solve;
}

int ElementLibrary::keep(const std::vector<Live>& numbers) {
  std::uint64_t hash = 1469598103934665603ULL;
  for (const Live& number : numbers) {
    std::uint64_t bits = 0;
    const double value = number.now();
    std::memcpy(&bits, &value, sizeof bits);
    hash = (hash ^ bits) * 1099511628211ULL;
  }
  const auto [begin, end] = known_.equal_range(hash);
  for (auto i = begin; i != end; ++i) {
    const auto [at, length] = i->second;
    if (static_cast<std::size_t>(length) == numbers.size() &&
        std::equal(numbers.begin(), numbers.end(), numbers_.begin() + at,
                   [](const Live& x, const Live& y) { return x.is_same(y); }))
      return at;
  }
  const auto at = static_cast<int>(plain_.size());
  known_.emplace(hash, std::pair{at, static_cast<int>(numbers.size())});
  for (const Live& number : numbers) {
    if (number.may_change()) {
      changing_.push_back(plain_.size());
      if (!live_) {
        live_ = number.owner()->shared_from_this();
        live_->attach(this);
      }
    }
    numbers_.push_back(number);
    plain_.push_back(number.now());
    packs_.emplace_back(number.now());
  }
  return at;
}

ElementLibrary::~ElementLibrary() {
  if (live_) live_->detach(this);
}

void ElementLibrary::follow() {
  for (const std::size_t place : changing_) {
    plain_[place] = numbers_[place].now();
    packs_[place] = Pack(plain_[place]);
  }
}

Elements collect_elements(const MaximalFormulas& formulas, std::shared_ptr<ElementLibrary> library) {
  const Instance& instance = formulas.instance();
  const Mechanism& mechanism = instance.mechanism();
  Elements elements{std::move(library), {}, {}, formulas.position_rows(), formulas.velocity_rows()};
  Collector collector(formulas, elements);
  for (std::size_t i = 0; i < mechanism.joints.size(); ++i) add_joint(collector, formulas, i);
  const std::vector<MechanismRow>& owners = formulas.all_rows();
  for (std::size_t k = 0; k < formulas.kept().size(); ++k) {
    const MechanismRow& row = owners[formulas.kept()[k]];
    const auto add = [&](auto&& value_of) {
      collector.add_rows([&](const Scene& scene, ElementFormulas& to) { to.position.push_back(value_of(scene)); },
                         {static_cast<int>(k)}, row.kind == Row::Kind::normalization);
    };
    if (row.kind == Row::Kind::driver)
      add([&](const Scene& scene) { return driver_row(ElementScene(scene, mechanism.drivers[row.index])); });
    if (row.kind == Row::Kind::equation)
      add([&](const Scene& scene) {
        return scene.evaluate(mechanism.constraints[row.index].value, Scene::Level::positions);
      });
    if (row.kind == Row::Kind::normalization)
      add([&](const Scene& scene) {
        const Frame& f = scene.frame(static_cast<int>(row.index));
        return f.body->kind->normalization(f);
      });
  }
  for (std::size_t i = 0; i < mechanism.forces.size(); ++i) collector.add_force(i);
  return elements;
}

Elements with_given(const MaximalFormulas& formulas, const Elements& elements) {
  Elements all = elements;
  all.position_rows = formulas.position_rows();
  all.velocity_rows = formulas.velocity_rows();
  for (RowElement& element : all.rows)
    for (int& row : element.rows)
      if (row >= elements.position_rows) row += all.position_rows - elements.position_rows;
  Collector collector(formulas, all);
  const Instance& instance = formulas.instance();
  const std::vector<std::pair<int, int>> owners[] = {owners_of(instance, false), owners_of(instance, true)};
  // In the plane thousands of angles and rates may be given. They are coordinates themselves: their rows differ in
  // the number only, and are recorded once, and once for each of the numbers that formulas absorb.
  std::map<std::pair<bool, double>, const RowKernels*> of_number;
  for (std::size_t place = 0; place < formulas.kept().size(); ++place) {
    const MechanismRow& row = formulas.all_rows()[formulas.kept()[place]];
    if (row.kind != Row::Kind::given) continue;
    const bool velocity = row.level == Row::Level::velocity;
    const auto [body, component] = owners[velocity ? 1 : 0][row.index];
    const std::vector<int> places{static_cast<int>(place)};
    const auto draw = [&, body = body, component = component](const Scene& scene, ElementFormulas& to) {
      const Real value = reported_value(scene, body, component, velocity) - Real::parameter(row.value);
      (velocity ? to.velocity : to.position).push_back(value);
    };
    if (!instance.planar() || component < instance.dimensions()) {
      collector.add_rows(draw, places);
      continue;
    }
    constexpr double any = 2.0;
    const bool absorbed = row.value == 0.0 || std::abs(row.value) == 1.0;
    const RowKernels*& known = of_number[{velocity, absorbed ? row.value : any}];
    if (known == nullptr) {
      collector.add_rows(draw, places);
      known = all.rows.back().kernels;
    } else {
      collector.add_alike(known, body, absorbed ? std::vector<Live>{} : std::vector<Live>{row.value}, places);
    }
  }
  return all;
}

}  // namespace raak
