// Independent coordinates by singular value decomposition (Mani, Haug and Atkinson 1985; Starmans 1987, chapters 2 and
// 4): Phi_q = U' D V, V = [V_D; V_I], z = V_I q. The method moves z along the tangent V_I; the physical coordinates
// follow by Newton-Raphson on [Phi(q); V_I q - z] = 0 (4.8), the velocities from [Phi_q; V_I] q' = [-Phi_t; z'] (4.12).
// The basis stays fixed through a step. It is renewed between accepted steps when the share of the velocity outside the
// subspace, 1 - |V_I v|^2 / |v|^2 (equation 2.34), passes a threshold, and turned as near as possible to the one
// before, so that z goes on. Vectors keep all n components, so a multistep history is carried into the new basis
// exactly and without a restart: its independent part is V_I times it.
// Where the system has recorded kernels (basis_correction.h), one evaluation corrects q and v; its pivots are chosen
// again where they have shrunk, and dense factors of [Phi_q; V_I] serve while no choice is good.
#pragma once
#include <optional>

#include "base/linear/factors.h"
#include "base/linear/svd.h"
#include "kinematics/rank/constraint_svd.h"
#include "methods/charts/chart.h"
#include "system/elimination/pivot_plan.h"
#include "system/recorded/equation_kernels.h"

namespace raak {

class SvdChart final : public Chart {
 public:
  explicit SvdChart(const ConstrainedSystem& system);

  void begin(const State& state, Statistics& statistics) override;
  bool restore_stage(double t, Vector& q, Vector& v, Statistics& statistics) override;
  void restore_between(double t, Vector& q, Vector& v) override;
  bool restore_end(double t, Vector& q, Vector& v, Statistics& statistics) override;
  void restrict_error(Vector& e_q, Vector& e_v) override;
  void after_step(const State& state, Statistics& statistics) override;
  const IndependentCoordinates* independent_coordinates() const override { return &independent_; }
  void use_partitions(const PartitionRequest& request) override { request_ = request; }

  void visit_state(Archive& archive) override {
    Chart::visit_state(archive);
    bool by_kernel = correction_ != nullptr;
    archive(position_, velocity_, struggled_, independent_, by_kernel, plan_.blocks, plan_.independent);
    archive(nearest_pivot_, lifts_by_kernel_, lifting_);
    if (archive.is_loading()) correction_ = by_kernel ? system_.equation_kernels()->basis_correction(plan_) : nullptr;
    scratch(n_, holonomic_, G_, g_, c_, seen_, direction_, between_q_, between_v_, kept_q_, kept_v_);
    scratch(request_, chooser_, pivot_weights_, change_, determinants_, lifted_);
  }

 private:
  // One set of constraint rows with its basis: position rows for q, all rows for v (the same where none is
  // non-holonomic).
  struct Basis {
    Eigen::Index rows;
    Svd svd;
    BasisTurn turning;
    Matrix phi_q;
    Matrix VI;      // (n - rank) x n, orthonormal rows
    Matrix before;  // V_I
    Matrix system;  // [Phi_q; V_I]
    Eigen::PartialPivLU<Matrix> lu;
    Vector rhs, x;
    Basis(Eigen::Index rows, Eigen::Index n);
    // The factors of the same matrix are the same.
    void visit_state(Archive& archive) {
      archive(VI, system);
      if (archive.is_loading()) lu.compute(system);
      scratch(rows, svd, turning, phi_q, before, rhs, x);
    }
    void renew(const Matrix& G, bool first);
    void factor(const Matrix& G);
    // dx with Phi_q dx = -residual and V_I dx = 0.
    const Vector& correction(const Vector& residual);
    // w with Phi_q w = 0 and V_I w = V_I e: the motion along the constraints that z sees of e.
    const Vector& lifted(const Vector& e);
  };

  // The changes of q, and of v, that remove a residual of the rows to first order. False: the kernel cannot serve here.
  bool correct_by_kernel(double t, const Vector& q, const Vector& v, Statistics& statistics);
  void correct_position(double t, const Vector& q, Statistics& statistics);
  void correct_velocity(double t, const Vector& q, const Vector& v, Statistics& statistics);
  auto dq() { return change_.head(n_); }
  auto dv() { return change_.tail(n_); }
  // Chooses the pivots of the kernel where G_ was evaluated.
  void choose_pivots();
  // Basis::lifted() by whichever elimination was the last one.
  const Vector& lifted(Basis& basis, const Vector& e);

  void partition(const State& state, Statistics& statistics, const PartitionRecord& why);
  std::optional<PartitionRecord> reason_to_partition(const State& state);
  void publish(const State& state);
  double velocity_outside(const Vector& v);
  double direction_outside();
  Basis& velocity_basis() { return holonomic_ ? position_ : velocity_; }

  Eigen::Index n_;
  bool holonomic_;
  Basis position_, velocity_;
  Matrix G_;
  Vector g_, c_, seen_, direction_, between_q_, between_v_, kept_q_, kept_v_;
  bool struggled_ = false;
  PivotChooser chooser_;
  PivotPlan plan_;
  const BasisCorrection* correction_ = nullptr;  // of the plan; null: by dense factors
  double nearest_pivot_ = 1.0;                   // the smallest determinant since the choice, of its reference
  bool lifts_by_kernel_ = false;
  Matrix lifting_;
  Vector pivot_weights_, change_, determinants_, lifted_;
  PartitionRequest request_;
  IndependentCoordinates independent_;
};

}  // namespace raak
