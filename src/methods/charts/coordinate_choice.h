// The independent coordinates of a method, a part of q itself: chosen by pivoting on G at a configuration, kept while
// its pivots serve, and held where a state is brought back to the constraints. Wehage and Haug, J. Mech. Design 104,
// 1982.
#pragma once
#include <memory>
#include <vector>

#include "methods/collocation/stage_lanes.h"
#include "system/recorded/partition/partition.h"

namespace raak {

class CoordinateChoice {
 public:
  // For a system without velocity rows.
  explicit CoordinateChoice(const ConstrainedSystem& system);

  // Relative to the pivots at the choice:
  static constexpr double least_pivot = 0.02;   // below it a step is not acceptable
  static constexpr double serving_pivot = 0.5;  // below it other coordinates are chosen at the end of the step
  // How far the dependent part may lie from its own polynomial, as DecayControl::is_near has it.
  static constexpr double largest_distance = 0.05;
  static constexpr int steps_between_corrections = 20;
  // Choosing pivots for little fill costs the fourth power of the size: not worth it beyond this.
  static constexpr int most_coordinates = 200;
  // The same where few freedoms are left: then there is little to choose, and singular configurations are likely, which
  // nothing else passes.
  static bool is_affordable(const ConstrainedSystem& system);

  // The first choice of a run. A start in or beside a configuration where constraint rows become dependent is judged,
  // and its coordinates are chosen, a little away from it along the motion.
  bool begin(const State& start);
  // Chooses at the configuration last restored. False: every choice is weak there, none much better than the old one,
  // which stays; steps are then refused as the singular configuration comes near. A row that vanishes as a whole counts
  // by its largest length so far.
  bool choose(const State& at);
  // The same at the configuration last restored for those who do not step over singular configurations: where every
  // choice is weak the strongest is taken, or the old one is judged by its determinants there from now on.
  void choose_or_renew(const State& at);
  long choices() const { return choices_; }
  // Whether every choice would be weak at a configuration (nearly) on the constraints, and weaker than at one of the
  // states around it: their rows themselves become dependent. Beside a singular configuration all choices are weak, and
  // pivots may vanish that others do not have.
  bool is_singular_configuration(double t, const Vector& q, const State& before, const State& after) const;
  // Determinants at a configuration relative to those of plan().
  void relative_pivots(const State& at, std::vector<double>& pivots) const;
  // The smallest of them in size at the configuration last restored: how far it is from a singular one.
  double nearest_pivot() const;
  // How independent the rows were at the last choice, of what they were at the best one.
  double share_of_best_strength() const { return strength_taken_ / best_strength_; }
  // Whether the first choice was made at the start itself, and not beside it.
  bool chosen_at_start() const { return chosen_at_start_; }
  // Null before the first choice.
  const Partition* partition() const { return partition_; }
  // Pivots of the last choice with their determinants at that configuration.
  const PivotPlan& plan() const { return taken_; }
  // Whether the system has emitted evaluations of its own for the choice.
  bool is_fast() const { return partition_ != nullptr && partition_ != dense_.get(); }

  // Newton steps of the dependent positions, and the velocities that belong to them. False, and nothing done, where
  // they do not converge or lead far away, as they may in a singular configuration.
  bool try_restore(double t, Vector& q, Vector& v) const;
  // Two Newton steps of a state that is close already.
  void draw_near(double t, Vector& q, Vector& v) const;
  // Mass, damping and stiffness of the equations linearized in the independent coordinates. Needs is_fast().
  void linearize(double t, const Vector& q, const Vector& v, Matrix& M, Matrix& D, Matrix& K) const;

  void visit_state(Archive& archive) {
    bool chosen = partition_ != nullptr;
    archive(chosen, taken_.blocks, taken_.independent, largest_row_, best_strength_, strength_taken_);
    archive(chosen_at_start_, choices_, q_, v_, a_, dependent_, determinants_);
    if (archive.is_loading()) find_partition(chosen);
    scratch(system_, n_, m_, chooser_, probe_, dense_, G_, M_, mass_diagonal_, kept_row_, restored_q_, restored_v_,
            pivots_, terms_);
  }

 private:
  // The one of the plan; none unless one was chosen.
  void find_partition(bool chosen);

  void fill_lanes(const Vector& q, const Vector& v) const;
  void last_pivots(std::vector<double>& pivots) const;
  // Into dependent_ and determinants_.
  void evaluate(double t, const Vector& q, const Vector& v) const;
  // The strength of the best choice at a configuration: its weakest determinant over the lengths of its rows, each by
  // the largest length that it has had. The pivots are those of `chooser`.
  double strength(double t, const Vector& q, PivotChooser& chooser) const;
  // The same of a configuration that is only probed and may lie far off: lengths of rows are not kept.
  double probed_strength(double t, const Vector& q) const;
  bool take(double strength);
  void use(double strength);
  // The strongest of a few configurations on the constraints that the motion of a start leads to.
  Vector strongest_nearby(const State& start) const;

  const ConstrainedSystem& system_;
  int n_, m_;
  PivotChooser chooser_;
  mutable PivotChooser probe_;
  PivotPlan taken_;
  const Partition* partition_ = nullptr;
  std::unique_ptr<DensePartition> dense_;  // where the system has none of its own
  mutable Matrix G_, M_;
  mutable Vector mass_diagonal_, largest_row_, kept_row_;  // lengths of the rows of G
  mutable Vector restored_q_, restored_v_;
  mutable std::vector<double> pivots_;
  double best_strength_ = 0.0;   // of the choices so far
  double strength_taken_ = 0.0;  // of the last one
  bool chosen_at_start_ = true;
  long choices_ = 0;
  mutable LaneArray q_, v_, a_, dependent_, determinants_, terms_;
};

}  // namespace raak
