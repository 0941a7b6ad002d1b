#include "mechanism/joint_tree/recursive_tree_system.h"

#include <algorithm>
#include <mutex>

#include "kinematics/rank/rank_policy.h"
#include "kinematics/slow/force_balance.h"
#include "mechanism/joint_tree/accounts_of_bodies.h"
#include "mechanism/joint_tree/joint_tree_formulas.h"
#include "mechanism/joint_tree/tree_matrices.h"
#include "mechanism/joint_tree/tree_recursion.h"
#include "mechanism/large/large_system.h"
#include "system/joint_graph.h"
#include "system/recorded/evaluation_cost.h"
#include "system/recorded/recorded_system.h"
#include "system/recorded/recording.h"
#include "system/relative_coordinates.h"

namespace raak {
namespace {

constexpr int most_coordinates_recorded = 40;

// Room for numbers in lanes, of this thread.
double* lanes_of_thread(int numbers) {
  thread_local std::vector<Pack> memory;
  if (memory.size() < z(numbers)) memory.resize(z(numbers));
  return reinterpret_cast<double*>(memory.data());
}
void spread(const double* from, int count, double* to) {
  for (int i = 0; i < count; ++i) std::fill_n(to + lanes * i, lanes, from[i]);
}
void first_of(const double* from, int count, double* to) {
  for (int i = 0; i < count; ++i) to[i] = from[lanes * i];
}

class RecursiveTreeSystem final : public ConstrainedSystem,
                                  public JointGraph,
                                  public RelativeCoordinates,
                                  public DependsOnTime,
                                  public CountedEvaluation {
 public:
  RecursiveTreeSystem(const std::shared_ptr<const JointTreeFormulas>& formulas,
                      std::shared_ptr<const ConstrainedSystem> recorded,
                      std::shared_ptr<const ConstrainedSystem> maximal)
      : ConstrainedSystem(recorded->coordinates(), recorded->position_rows(), 0, recorded->description()),
        formulas_(formulas),
        recorded_(std::move(recorded)),
        all_(dynamic_cast<const RecordedSystem&>(*recorded_)),
        maximal_(std::move(maximal)),
        has_forces_(!formulas->instance().mechanism().forces.empty()),
        large_(dynamic_cast<const LargeSystem*>(maximal_.get())),
        recursion_(formulas->instance(), formulas->tree(), formulas->inertias()),
        matrices_(formulas->instance(), formulas->tree(), formulas->inertias(),
                  [this](double t, const Vector& q, const Vector& v, Vector& f) { add_applied(t, q, v, f); }) {
    set_reported(recorded_->reported());
    if (const EnergyAccounts* const of_bodies = maximal_->energy_accounts())
      accounts_ = std::make_unique<AccountsOfBodies>(
          *of_bodies, [this](double t, const Vector& q, const Vector& v) { return find_bodies(t, q, v); });
  }

  double accelerate(double /*t*/, const double* q, const double* v, double* a, double* lambda) const override;
  void accelerate_lanes(const double* t, const double* q, const double* v, double* a, double* lambda,
                        double* smallest_pivot) const override;
  double correct_position(double t, double* q) const override;
  double correct_velocity(double t, const double* q, double* v) const override;
  const EquationKernels* equation_kernels() const override {
    return has_recorded_matrices() ? all_.equation_kernels() : nullptr;
  }
  double counted_cost() const override { return recursion_.cost(); }
  Strictness strictness() const override { return strictness_of(*recorded_); }
  std::vector<Joint> joints() const override { return graph().joints(); }
  std::vector<Driver> drivers() const override { return graph().drivers(); }

  // Few coordinates have recorded matrices, whose slopes have all digits.
  void mass(double t, const Vector& q, Matrix& M) const override {
    has_recorded_matrices() ? all_.mass(t, q, M) : matrices_.mass(q, M);
  }
  void mass_diagonal(double /*t*/, const Vector& q, Vector& diagonal) const override {
    matrices_.mass_diagonal(q, diagonal);
  }
  void force(double t, const Vector& q, const Vector& v, Vector& f) const override {
    has_recorded_matrices() ? all_.force(t, q, v, f) : matrices_.force(t, q, v, f);
  }
  void constraint(double /*t*/, const Vector& q, Vector& g) const override { matrices_.constraint(q, g); }
  void velocity_constraint(double /*t*/, const Vector& q, const Vector& v, Vector& c) const override {
    matrices_.velocity_constraint(q, v, c);
  }
  void jacobian(double /*t*/, const Vector& q, Matrix& G) const override { matrices_.jacobian(q, G); }
  void acceleration_bias(double /*t*/, const Vector& /*q*/, const Vector& v, Vector& bias) const override {
    matrices_.bias(v, bias);
  }
  void force_derivatives(double t, const Vector& q, const Vector& v, Matrix& f_q, Matrix& f_v) const override {
    has_recorded_matrices() ? all_.force_derivatives(t, q, v, f_q, f_v)
                            : matrices_.force_derivatives(t, q, v, coordinate_scales(), f_q, f_v);
  }
  void inertia_stiffness(const State& state, Matrix& K) const override {
    has_recorded_matrices() ? all_.inertia_stiffness(state, K)
                            : matrices_.inertia_stiffness(state, coordinate_scales(), K);
  }

  int switches() const override { return has_forces_ ? maximal_->switches() : 0; }
  void evaluate_switches(double t, const Vector& q, const Vector& v, Vector& values) const override {
    if (!has_forces_) return;
    const State bodies = find_bodies(t, q, v);
    maximal_->evaluate_switches(t, bodies.q, bodies.v, values);
  }
  const TimeFormulas* time_formulas() const override {
    const auto* const depending = has_forces_ ? dynamic_cast<const DependsOnTime*>(maximal_.get()) : nullptr;
    return depending != nullptr ? depending->time_formulas() : nullptr;
  }
  Energy energy(double t, const Vector& q, const Vector& v) const override;
  double input_power(const State& state) const override {
    return has_forces_ ? maximal_->input_power(find_bodies(state.t, state.q, state.v)) : 0.0;
  }
  bool has_input_power() const override { return has_forces_ && maximal_->has_input_power(); }
  bool accounts_for_energy() const override { return true; }
  const EnergyAccounts* energy_accounts() const override { return accounts_.get(); }
  void evaluate_outputs(const State& state, Vector& values) const override {
    if (outputs() == 0) return;
    if (large_ == nullptr) recorded_->evaluate_outputs(state, values);
    else maximal_->evaluate_outputs(outputs_need_forces() ? complete(state) : motion_of_bodies(state), values);
  }
  bool outputs_need_forces() const override { return maximal_->outputs_need_forces(); }
  void report(const State& state, State& shown) const override {
    if (large_ != nullptr) maximal_->report(complete(state), shown);
    else recorded_->report(state, shown);
  }
  void report_motion(const State& state, State& shown) const override {
    if (large_ != nullptr) maximal_->report_motion(motion_of_bodies(state), shown);
    else recorded_->report_motion(state, shown);
  }

 private:
  bool has_recorded_matrices() const { return large_ == nullptr || coordinates() <= most_coordinates_recorded; }
  const JointGraph& graph() const { return dynamic_cast<const JointGraph&>(*recorded_); }
  const JointTree& tree() const { return formulas_->tree(); }
  const Instance& instance() const { return formulas_->instance(); }
  const Kernel& applied() const;
  void add_applied(double t, const Vector& q, const Vector& v, Vector& f) const;
  // In the coordinates of the bodies: without accelerations and multipliers, without multipliers, and with both.
  State find_bodies(double t, const Vector& q, const Vector& v) const;
  State motion_of_bodies(const State& state) const;
  State complete(const State& state) const;

  std::shared_ptr<const JointTreeFormulas> formulas_;
  std::shared_ptr<const ConstrainedSystem> recorded_;
  const RecordedSystem& all_;
  std::shared_ptr<const ConstrainedSystem> maximal_;
  bool has_forces_;
  const LargeSystem* large_;  // the same; null where that is recorded
  TreeRecursion recursion_;
  TreeMatrices matrices_;
  std::unique_ptr<const EnergyAccounts> accounts_;
  mutable std::once_flag applied_once_;
  mutable std::unique_ptr<Kernel> applied_;
};

// Generalized forces beside weight.
const Kernel& RecursiveTreeSystem::applied() const {
  std::call_once(applied_once_, [this] {
    const PreparationTimer timer;
    KernelRecording to(coordinates(), rows());
    to.write(0, formulas_->applied_force(to.x.t, to.x.q, to.x.v));
    applied_ = to.kernel();
  });
  return *applied_;
}

double RecursiveTreeSystem::accelerate(double t, const double* q, const double* v, double* a, double* lambda) const {
  const int n = coordinates();
  double* const in = lanes_of_thread(4 * n + rows());
  double* const rates = in + lanes * n;
  double* const forces = rates + lanes * n;
  double* const found = forces + lanes * n;
  double* const multipliers = found + lanes * n;
  spread(q, n, in);
  spread(v, n, rates);
  if (has_forces_) {
    const double* const from[4] = {&t, q, v, nullptr};
    double* const to[3] = {a, nullptr, nullptr};
    applied().run_one(from, to);
    spread(a, n, forces);
  }
  recursion_.accelerate(in, rates, has_forces_ ? forces : nullptr, found, multipliers);
  first_of(found, n, a);
  if (lambda != nullptr) first_of(multipliers, rows(), lambda);
  return 1.0;
}

void RecursiveTreeSystem::accelerate_lanes(const double* t, const double* q, const double* v, double* a, double* lambda,
                                           double* smallest_pivot) const {
  double* forces = nullptr;
  if (has_forces_) {
    forces = lanes_of_thread(coordinates());
    const double* const from[4] = {t, q, v, nullptr};
    double* const to[3] = {forces, nullptr, nullptr};
    applied().run(from, to);
  }
  recursion_.accelerate(q, v, forces, a, lambda);
  std::fill_n(smallest_pivot, lanes, 1.0);
}

double RecursiveTreeSystem::correct_position(double /*t*/, double* q) const {
  double squares = 0.0;
  for (const int first : tree().balls) {
    const auto p = Vector::Map(q + first, 4);
    const double square = p.squaredNorm(), gap = 0.5 * (square - 1.0);
    squares += gap * gap;
    Vector::Map(q + first, 4) -= gap / square * p.eval();
  }
  return std::sqrt(squares);
}

double RecursiveTreeSystem::correct_velocity(double /*t*/, const double* q, double* v) const {
  double squares = 0.0;
  for (const int first : tree().balls) {
    const auto p = Vector::Map(q + first, 4);
    const double rate = p.dot(Vector::Map(v + first, 4));
    squares += rate * rate;
    Vector::Map(v + first, 4) -= rate / p.squaredNorm() * p;
  }
  return std::sqrt(squares);
}

void RecursiveTreeSystem::add_applied(double t, const Vector& q, const Vector& v, Vector& f) const {
  if (!has_forces_) return;
  Vector more(coordinates());
  const double* const from[4] = {&t, q.data(), v.data(), nullptr};
  double* const to[3] = {more.data(), nullptr, nullptr};
  applied().run_one(from, to);
  f += more;
}

State RecursiveTreeSystem::find_bodies(double t, const Vector& q, const Vector& v) const {
  State state = State::of_size(coordinates(), 0);
  state.t = t;
  state.q = q;
  state.v = v;
  return motion_of_bodies(state);
}

Energy RecursiveTreeSystem::energy(double t, const Vector& q, const Vector& v) const {
  const State at = find_bodies(t, q, v);
  if (has_forces_) return maximal_->energy(t, at.q, at.v);
  Energy sum;
  for (const int b : tree().order) {
    const Body& body = instance().bodies()[z(b)];
    sum.kinetic += 0.5 * body.kind->twice_kinetic_energy(body, at.q.data() + body.first, at.v.data() + body.first);
    for (int k = 0; k < 3; ++k) sum.potential -= body.mass.now() * instance().gravity()[k].now() * at.q[body.first + k];
  }
  return sum;
}

State RecursiveTreeSystem::motion_of_bodies(const State& state) const {
  State bodies = bodies_of_tree(instance(), tree(), formulas_->own_inertias(), state);
  bodies.lambda = Vector::Zero(maximal_->rows());
  return bodies;
}

State RecursiveTreeSystem::complete(const State& state) const {
  State own = state;
  own.lambda.resize(rows());
  update_accelerations(*this, own);
  const State found = bodies_of_tree(instance(), tree(), formulas_->own_inertias(), own);
  State full = State::of_size(maximal_->coordinates(), maximal_->rows());
  full.t = state.t;
  full.q = found.q;
  full.v = found.v;
  const double pivot =
      large_->accelerate_step_by_step(full.t, full.q.data(), full.v.data(), full.a.data(), full.lambda.data());
  full.a = found.a;
  if (!(pivot > RankPolicy::resolved_pivot) && large_->has_dense_matrices()) balance_forces(*maximal_, full);
  return full;
}

}  // namespace

bool serves_recursion(const Instance& instance, const JointTree& tree) {
  const auto moves = [](const TreeLink& link) { return !link.steps.empty(); };
  const int most = instance.mechanism().forces.empty() ? most_coordinates_of_recursion : most_coordinates_with_forces;
  return std::count_if(tree.links.begin(), tree.links.end(), moves) >= fewest_bodies_for_recursion &&
         tree.coordinates <= most && TreeRecursion::serves(instance, tree);
}

std::shared_ptr<const ConstrainedSystem> make_recursive_tree_system(
    const std::shared_ptr<const MaximalFormulas>& formulas, const JointTree& tree,
    std::shared_ptr<const ConstrainedSystem> recorded, std::shared_ptr<const ConstrainedSystem> maximal) {
  return std::make_shared<RecursiveTreeSystem>(std::make_shared<const JointTreeFormulas>(formulas, tree),
                                               std::move(recorded), std::move(maximal));
}

}  // namespace raak
