// What an integration method is: it attempts one step and keeps its result only when the caller accepts the step.
#pragma once
#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "system/constrained_system.h"
#include "system/equations/forms.h"
#include "system/state.h"

namespace raak {

class Archive;
class DecayControl;

// The error of one step, component by component, is held below atol + rtol |component|.
struct Tolerance {
  double rtol = 1e-6;
  double atol = 1e-6;
  double length_atol = 0.0;  // of coordinates in m, where it is not that of the others; 0: it is
  Vector atols = {};         // component by component; empty: atol of all

  double absolute(Eigen::Index i) const { return atols.size() > 0 ? atols[i] : atol; }
};
struct Tolerances {
  Tolerance q;
  Tolerance v;
  Tolerance lambda;  // an infinite atol leaves the multipliers alone

  static Tolerances uniform(double rtol, double atol) { return {{rtol, atol}, {rtol, atol}, {rtol, atol}}; }
};

struct Statistics {
  long steps = 0;  // accepted + rejected
  long accepted = 0;
  long rejected = 0;
  long evaluations = 0;  // scalar-equivalent evaluations of the accelerations
  long jacobians = 0;
  long factorizations = 0;
  double cpu_seconds = 0.0;          // of the integration alone
  double preparation_seconds = 0.0;  // of recording and emitting kernels on the way, not in cpu_seconds
};

struct Attempt {
  bool acceptable = false;
  double retry_step = 0.0;        // s, signed: the step to try instead, if it was not acceptable
  const char* trouble = nullptr;  // why it was not acceptable, if not simply for its error
};

// Why a basis of independent coordinates was chosen.
enum class PartitionReason {
  start,
  restart,    // behind a discontinuity or a singular configuration
  outside,    // the share of the velocity outside the basis has passed the threshold
  direction,  // so has that of the worst direction of the basis
  newton      // the dependent coordinates took many iterations
};
inline constexpr int partition_reasons = 5;
// In words, for people.
std::string reason_text(PartitionReason reason);

// A choice of independent coordinates: when, with which share of the velocity outside the basis before (equation 2.34
// of Starmans 1987; of the kinetic energy where M = I), and why. Valid only during the call.
struct PartitionRecord {
  double t = 0.0;  // s
  double outside = 0.0;
  PartitionReason reason = PartitionReason::start;
};
struct PartitionRequest {
  static constexpr double usual_threshold = 0.05;
  double threshold = usual_threshold;  // of the share outside, between 0 and 1
  std::function<void(const PartitionRecord&)> chosen = {};
};

// Independent coordinates z = V_I q of the methods that have them.
struct IndependentCoordinates {
  Matrix VI;       // (n - rank) x n, from the end of the last step on
  Matrix through;  // the same through the last step
  Vector z, z1, z2;
  long partitions = 0;                              // bases used so far
  std::array<long, partition_reasons> by_reason{};  // of them
};

// A singularity that a run has passed, where constraint rows are dependent for a moment.
struct SingularityRecord {
  double t = 0.0;  // s
  Vector q;
};

class Integrator {
 public:
  Integrator() = default;
  virtual ~Integrator() = default;
  Integrator(const Integrator&) = delete;
  Integrator& operator=(const Integrator&) = delete;

  // Takes a consistent state and returns the first step to try, s, signed towards `until`.
  virtual double begin(const State& start, double until) = 0;
  // Whether begin() leaves nothing of what was before it, so that another run on the same system, whose live numbers
  // may have changed, gives the same bits as with a method that is made anew. Its statistics go on.
  virtual bool may_begin_again() const { return false; }
  // Tries a step from current(), which stays as it is, to t = `to`.
  virtual Attempt attempt(double to) = 0;
  // Makes the last acceptable attempt the current state; returns the next step to try.
  virtual double accept() = 0;
  virtual const State& current() const = 0;
  // The same in t, q and v alone: its accelerations, which current() may have to find first, may be those of before.
  virtual const State& motion() const { return current(); }
  virtual double time() const { return current().t; }
  // Goes on from another state at about the same time, across which forces have jumped: what was learned of the motion
  // before it says nothing of the motion after it. The caller knows how long the steps may be.
  virtual void resume(const State& state, double until) { begin(state, until); }
  // Where the last acceptable attempt ends, in t, q and v.
  virtual const State& attempted() const = 0;
  // q and v anywhere in the last accepted step, by the method's own dense output.
  virtual void interpolate(double t, Vector& q, Vector& v) = 0;
  // q and v at the end of the last accepted step before they were projected onto the constraints; false: they were not.
  virtual bool before_projection(Vector& /*q*/, Vector& /*v*/) const { return false; }
  virtual int order() const = 0;
  // Its first steps have order 1, whatever the order of the later ones: with fixed steps they must be short.
  virtual bool starts_at_order_one() const { return false; }
  virtual const IndependentCoordinates* independent_coordinates() const { return nullptr; }
  // Singular singularities passed so far, in the order of the run.
  virtual const std::vector<SingularityRecord>& singularities() const {
    static const std::vector<SingularityRecord> none;
    return none;
  }
  // How independent the constraint rows were at the stages of the last attempt: about the sine of the smallest angle
  // between them; 1 where it does not say.
  virtual double constraint_strength() const { return 1.0; }
  // The sizes that its errors are judged by, null where it has none: after begin() it may go on with those of another
  // method.
  virtual DecayControl* decay_control() { return nullptr; }
  // The methods that were used, if it chooses among several: "gauss", "gauss+radau".
  virtual std::string methods_used() const { return {}; }

  // Writes to a checkpoint, or reads back, everything that later steps depend on, but for the statistics: after begin()
  // of an object that was made as the one that was saved (resumable.h).
  virtual void visit_state(Archive& /*archive*/) { throw std::logic_error("this method cannot be resumed"); }

  const Statistics& statistics() const { return *statistics_; }
  Statistics& statistics() { return *statistics_; }
  // Counts its work as that of the method it is a part of.
  virtual void count_as_part_of(Integrator& whole) { statistics_ = whole.statistics_; }

  // How independent coordinates are chosen, for methods that have them: before begin().
  virtual void use_partitions(const PartitionRequest& /*request*/) {}

  // With fixed steps an attempt is acceptable whatever its error, as long as it could be computed.
  virtual void use_fixed_steps() { fixed_steps_ = true; }

 protected:
  bool fixed_steps_ = false;

 private:
  Statistics own_;
  Statistics* statistics_ = &own_;
};

// The order of q and v that a refinement from `coarse` to `fine` steps over the test pendulum shows.
struct OrderClaim {
  Form form;
  int coarse, fine;   // numbers of steps
  double of_q, of_v;  // 0: below rounding
};

struct MethodInfo {
  std::string name;
  std::string summary;
  std::vector<Form> forms;  // the first is the default
  std::function<std::unique_ptr<Integrator>(const ConstrainedSystem&, Form form, const Tolerances&)> make;
  // What a system must be for it.
  std::string stand_in = "";    // in full coordinates, where there are too many to choose from; empty: it needs none
  bool holonomic_only = false;  // with velocity rows its stand-in is used as well
  // What it does.
  bool is_choice = false;              // of other methods, as the motion needs them
  bool is_for_stiffness = false;       // fast modes that nobody sees do not limit its steps
  bool follows_tolerance = false;      // its digits follow the tolerance, and so does the energy
  bool crosses_singularities = false;  // by itself
  bool has_trace = false;              // can write z, z', z'' and V_I
  // What it can hold.
  bool refuses_tiny_tolerance = false;  // instead of integrating at the limit of double precision
  double tightest_rtol = 0.0;           // the tightest tolerance that it serves well; 0: what double precision can hold
  double rounding_floor = 0.0;          // relative error below which rounding keeps it from going; 0: that of double
  double shortfall = 2.0;  // correct digits that it may fall behind the default method at the same tolerance
  long step_budget = 0;    // steps after which it says that it is the wrong method; 0: a generous number
  std::vector<OrderClaim> claims = {};

  bool has(Form form) const { return std::find(forms.begin(), forms.end(), form) != forms.end(); }
  // What is wanted, or its default where it has no such form.
  Form nearest(Form wanted) const { return has(wanted) ? wanted : forms.front(); }
  // Both a method for stiff systems and one whose error control follows the motion alone.
  bool is_advised_for_stiffness() const { return is_for_stiffness && follows_tolerance; }
};

inline constexpr const char* default_method = "auto";

const std::vector<MethodInfo>& method_catalogue();
// Refuses an unknown name with the nearest one.
const MethodInfo& find_method(const std::string& name);
// Whether one for stiff systems is among those that were used (Integrator::methods_used).
bool includes_stiff_method(const std::string& used);
// Why a method is not run in a form that it lacks, and which ones would be.
std::string missing_form(const MethodInfo& method, Form form);

}  // namespace raak
