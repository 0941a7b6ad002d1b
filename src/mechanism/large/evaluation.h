// Evaluates the equations of many bodies element by element, in one fixed sequence of steps found at assembly:
//   x0 = M^-1 f,  S = G M^-1 G',  S lambda = G x0 - bias,  x = x0 - M^-1 G' lambda
// and, with residuals on the right, corrections of positions and velocities. Every body, row element and block of S is
// computed just before it is first needed, so that what is used together lies together in the cache.
#pragma once
#include <memory>
#include <vector>

#include "base/linear/linear.h"
#include "mechanism/large/elements.h"
#include "mechanism/large/fused/fused_evaluation.h"

namespace raak {

class LargeEvaluation {
 public:
  LargeEvaluation(std::shared_ptr<const Instance> instance, Elements elements);

  const std::shared_ptr<const Instance>& instance() const { return instance_; }
  const Elements& elements() const { return elements_; }
  const BlockPlan& plan() const { return plan_; }
  // Numbers of an evaluation.
  std::size_t workspace() const { return static_cast<std::size_t>(gathered_at_ + gathered_size_); }

  // Of one state or four: the smallest relative pivot. `lambda` may be null.
  double accelerate(const double* t, const double* q, const double* v, double* a, double* lambda) const;
  Pack accelerate(const Pack* t, const Pack* q, const Pack* v, Pack* a, Pack* lambda) const;
  // Without long kernels, which have to be made first.
  double accelerate_step_by_step(const double* t, const double* q, const double* v, double* a, double* lambda) const;

  // Cycles of one evaluation of four states, as counted by Program::cost().
  double acceleration_cost() const;

  // Correct q, or v, or both with one elimination; the norm of the residual before it.
  double correct_positions(double t, double* q) const;
  double correct_velocities(double t, const double* q, double* v) const;
  double correct_both(double t, double* q, double* v) const;

  // The same where rows may depend on each other; those that were left out are appended, as multipliers.
  double correct_dependent(Solve what, double t, double* q, double* v, std::vector<int>& left_out) const;
  // A set of rows that depend on the others, without which these are independent: multipliers, ascending.
  std::vector<int> dependent_rows(double t, const double* q) const;
  // Multipliers w with w' G = 0, where these rows depend on the others: a random combination of all such.
  std::vector<double> null_multipliers(double t, const double* q, const std::vector<int>& dependent) const;
  // A random direction of motion that keeps all rows, largest entry 1.
  std::vector<double> random_motion(double t, const double* q, unsigned seed) const;

  // g, and [g'; c] in the order of the multipliers.
  void residual(bool rates, double t, const double* q, const double* v, double* values) const;
  // What each of the force elements stores and does; without rates only what it stores counts.
  void force_energies(double t, const double* q, const double* v, std::vector<ForceEnergy>& energies) const;
  // The power of the rows that move in time, by multiplier; nothing is written for the others.
  void row_powers(double t, const double* q, const double* v, const double* lambda, double* powers) const;
  // The multipliers of those rows, ascending.
  const std::vector<int>& moving_rows() const { return moving_rows_; }
  // Where formulas of elements change their branches: how many functions change sign there, and their values.
  int switches() const;
  void evaluate_switches(double t, const double* q, const double* v, double* values) const;

 private:
  // Kernels read and write numbers at fixed places of the work memory; what is listed by places only is in one array,
  // in the order of its use. Place 0 is the time.
  struct Step {
    enum class Kind : int { body, call, pair, gather, divide, clear, eliminate } kind;
    int index;                      // see run_step
    const KernelsBySolve* kernels;  // none of them: nothing is done
    std::array<int, 4> in;          // the second one among the kept numbers, except of a pair
    std::array<int, 2> out;
    int right, rows;  // of an element: where its right-hand side is
  };
  using Kind = Step::Kind;
  // An element or pair of elements with more than two bodies.
  struct Gathered {
    std::vector<int> bodies;
    bool pair = false, changes_unknowns = false;
  };
  template <class Number>
  struct Work {
    Number *memory, *gathered, *blocks;
    const Number* kept;
  };
  class Scheduler;

  // The same by long kernels (fused_kernels.h) where they pay; null where they do not. Made when they are first asked
  // for.
  const FusedEvaluation* fused() const;
  const FusedEvaluation* correcting_kernels() const;
  const FusedEvaluation* make_fused(std::unique_ptr<FusedEvaluation>& to, bool correcting) const;
  std::vector<FusedTasks> forward_tasks(Solve what) const;
  template <class Number>
  Number accelerate_by(const FusedEvaluation& kernels, const Number& t, const Number* q, const Number* v, Number* a,
                       Number* lambda) const;
  // New right-hand sides for velocities, with the factors of a pass before.
  std::vector<FusedTasks> rate_tasks() const;
  std::vector<FusedTasks> back_tasks() const;

  template <class Number>
  Work<Number> work(const Number& t) const;
  template <class Number>
  void read_inputs(const ElementPlace& element, bool gathers, const Work<Number>& w, const Number** in) const;
  template <class Number>
  void gather(const std::vector<int>& bodies, const Work<Number>& w) const;
  template <class Number>
  void run_step(const Step& step, Solve what, const Number* q, const Number* v, const Work<Number>& w) const;
  template <class Number>
  void run_gathered(const Step& step, const Kernel& kernel, const Work<Number>& w) const;
  template <class Number>
  void place_bodies(Solve what, const Number* q, const Number* v, const Work<Number>& w) const;
  // x of the bodies of a node's element less M^-1 G' lambda.
  template <class Number>
  void apply(int node, const Work<Number>& w) const;
  // The way back, when all nodes are eliminated.
  template <class Number>
  void finish_solution(const Work<Number>& w) const;
  template <class Number>
  Number solve(Solve what, const Number* q, const Number* v, const Work<Number>& w) const;
  // The same for corrections: the norm of the right-hand side.
  double correct(Solve what, const double* q, const double* v, const Work<double>& w) const;
  double squares_on_the_right(const Step& step, const Work<double>& w) const;
  template <class Number>
  void read_unknowns(const Work<Number>& w, Number* x) const;
  template <class Number>
  void read_multipliers(const Work<Number>& w, Number* lambda) const;
  void right_sides(bool rates, const Work<double>& w) const;
  double eliminate_with_rank(Solve what, const double* q, const double* v, const Work<double>& w,
                             std::vector<SkippedRow>& skipped) const;
  // Factors of the rows that are not left out (by multiplier), with a share of each diagonal entry added to it.
  void eliminate_without(const std::vector<char>& leaves_out, double share, const double* q,
                         const Work<double>& w) const;
  // S^-1 of new right-hand sides, with the factors of a pass before.
  void solve_again(const std::vector<double>& right, const Work<double>& w, std::vector<double>& multipliers) const;
  // Orthonormal combinations of unit rows that vanish in the metric of M: some of them, or all; of `count` vectors.
  Matrix vanishing_combinations(const std::vector<char>& leaves_out, Eigen::Index count, double t,
                                const double* q) const;
  // The right-hand sides of all rows, by multiplier.
  void set_right_sides(const std::vector<double>& values, const Work<double>& w) const;
  // M^-1 G' lambda, and G v.
  std::vector<double> pull_of(const std::vector<double>& lambda, double t, const double* q) const;
  void rates_of(const std::vector<double>& v, double t, const double* q, std::vector<double>& values) const;
  int multiplier_of(const SkippedRow& row) const;

  std::shared_ptr<const Instance> instance_;
  Elements elements_;
  std::vector<BodyPlace> bodies_;
  std::vector<int> record_of_;      // of each row element, a place in the work memory
  BlockPlan plan_;                  // over the row elements
  std::vector<Step> steps_, back_;  // the way back: one for each node
  std::vector<Gathered> gathered_;
  std::vector<int> moving_rows_;
  mutable std::once_flag fused_once_, correcting_once_;
  mutable std::unique_ptr<FusedEvaluation> fused_, correcting_;
  int elements_at_ = 0, blocks_at_ = 0, gathered_at_ = 0, gathered_size_ = 0;
};

}  // namespace raak
