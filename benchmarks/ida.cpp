// SUNDIALS IDA on 0 = q' - v + Gp' mu, 0 = M v' - f + G' lambda, 0 = g, 0 = [g'; c] with y = (q, v, lambda, mu), the
// form of Gear, Gupta and Leimkuhler (J. Comput. Appl. Math. 12-13 (1985) 77).
#include <fmt/format.h>
#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <cmath>
#include <memory>

#include "benchmarks/peer.h"

namespace raak::peers {
namespace {

using View = Eigen::Map<Vector>;
View view(N_Vector y) {
  return {N_VGetArrayPointer(y), N_VGetLength(y)};
}

class Ggl {
 public:
  explicit Ggl(const ConstrainedSystem& system)
      : system_(system), n_(system.coordinates()), m_(system.rows()), p_(system.position_rows()) {
    state_ = State::of_size(n_, m_);
    M_ = fq_ = fv_ = K_ = Matrix::Zero(n_, n_);
    G_ = cq_ = Matrix::Zero(m_, n_);
    f_ = moved_ = Vector::Zero(n_);
    g_ = Vector::Zero(p_);
    c_ = c_moved_ = Vector::Zero(m_);
  }
  Eigen::Index size() const { return 2 * n_ + m_ + p_; }

  void read(double t, const View& y, const View& rate) {
    state_.t = t;
    state_.q = y.head(n_);
    state_.v = y.segment(n_, n_);
    state_.lambda = y.segment(2 * n_, m_);
    state_.a = rate.segment(n_, n_);
  }
  const State& state() const { return state_; }

  void residual(const View& y, const View& rate, View r) {
    system_.mass(state_.t, state_.q, M_);
    system_.force(state_.t, state_.q, state_.v, f_);
    system_.jacobian(state_.t, state_.q, G_);
    system_.constraint(state_.t, state_.q, g_);
    system_.velocity_constraint(state_.t, state_.q, state_.v, c_);
    r.head(n_) = rate.head(n_) - state_.v;
    r.head(n_).noalias() += G_.topRows(p_).transpose() * y.tail(p_);
    r.segment(n_, n_) = -f_;
    r.segment(n_, n_).noalias() += M_ * state_.a;
    r.segment(n_, n_).noalias() += G_.transpose() * state_.lambda;
    r.segment(2 * n_, p_) = g_;
    r.tail(m_) = c_;
  }

  // dF/dy + cj dF/dy'. The derivative of Gp' mu is left out: mu vanishes with the step.
  void newton_matrix(double cj, Eigen::Ref<Matrix> J) {
    system_.mass(state_.t, state_.q, M_);
    system_.jacobian(state_.t, state_.q, G_);
    system_.force_derivatives(state_.t, state_.q, state_.v, fq_, fv_);
    system_.inertia_stiffness(state_, K_);
    velocity_constraint_by_position();
    J.setZero();
    J.block(0, 0, n_, n_).diagonal().setConstant(cj);
    J.block(0, n_, n_, n_).diagonal().setConstant(-1.0);
    J.block(0, 2 * n_ + m_, n_, p_) = G_.topRows(p_).transpose();
    J.block(n_, 0, n_, n_) = K_ - fq_;
    J.block(n_, n_, n_, n_) = cj * M_ - fv_;
    J.block(n_, 2 * n_, n_, m_) = G_.transpose();
    J.block(2 * n_, 0, p_, n_) = G_.topRows(p_);
    J.block(2 * n_ + p_, 0, m_, n_) = cq_;
    J.block(2 * n_ + p_, n_, m_, n_) = G_;
  }

 private:
  void velocity_constraint_by_position() {
    system_.velocity_constraint(state_.t, state_.q, state_.v, c_);
    moved_ = state_.q;
    for (Eigen::Index i = 0; i < n_; ++i) {
      const double step = 1e-7 * std::max(1.0, std::abs(state_.q[i]));
      moved_[i] += step;
      system_.velocity_constraint(state_.t, moved_, state_.v, c_moved_);
      cq_.col(i) = (c_moved_ - c_) / step;
      moved_[i] = state_.q[i];
    }
  }

  const ConstrainedSystem& system_;
  Eigen::Index n_, m_, p_;
  State state_;
  Matrix M_, fq_, fv_, K_, G_, cq_;
  Vector f_, moved_, g_, c_, c_moved_;
};

int residual(double t, N_Vector y, N_Vector rate, N_Vector r, void* data) {
  Ggl& form = *static_cast<Ggl*>(data);
  form.read(t, view(y), view(rate));
  form.residual(view(y), view(rate), view(r));
  return view(r).allFinite() ? 0 : 1;
}

int newton_matrix(double t, double cj, N_Vector y, N_Vector rate, N_Vector, SUNMatrix J, void* data, N_Vector, N_Vector,
                  N_Vector) {
  Ggl& form = *static_cast<Ggl*>(data);
  form.read(t, view(y), view(rate));
  form.newton_matrix(cj, Eigen::Map<Matrix>(SUNDenseMatrix_Data(J), form.size(), form.size()));
  return 0;
}

}  // namespace

Result ida_ggl(const Problem& problem) {
  const Eigen::Index n = problem.system.coordinates();
  Ggl form(problem.system);
  SUNContext context = nullptr;
  SUNContext_Create(nullptr, &context);
  N_Vector y = N_VNew_Serial(form.size(), context);
  N_Vector rate = N_VClone(y);
  N_Vector differential = N_VClone(y);
  view(y) << problem.start.q, problem.start.v, problem.start.lambda, Vector::Zero(problem.system.position_rows());
  view(rate).setZero();
  view(rate).head(2 * n) << problem.start.v, problem.start.a;
  // The multipliers are linear and converge with v; weighed by atol they stop Newton's method at small steps.
  N_Vector tolerance = N_VClone(y);
  view(tolerance).setConstant(1e6);
  view(tolerance).head(2 * n).setConstant(problem.atol);
  view(differential).setZero();
  view(differential).head(2 * n).setOnes();
  SUNMatrix J = SUNDenseMatrix(form.size(), form.size(), context);
  SUNLinearSolver solver = SUNLinSol_Dense(y, J, context);
  void* ida = IDACreate(context);
  IDAInit(ida, residual, problem.start.t, y, rate);
  IDASetUserData(ida, &form);
  IDASVtolerances(ida, problem.rtol, tolerance);
  IDASetLinearSolver(ida, solver, J);
  IDASetJacFn(ida, newton_matrix);
  IDASetId(ida, differential);
  IDASetSuppressAlg(ida, SUNTRUE);
  IDASetMaxNumSteps(ida, most_steps);
  if (problem.first_step > 0.0) IDASetInitStep(ida, std::copysign(problem.first_step, problem.until - problem.start.t));
  IDASetStopTime(ida, problem.until);
  IDASetNonlinConvCoef(ida, 0.01);  // measured: fewer steps than with 0.33, at similar digits
  IDASetErrFile(ida, nullptr);

  const double began = thread_cpu_seconds();
  double t = problem.start.t;
  const int flag = IDASolve(ida, problem.until, &t, y, rate, IDA_NORMAL);
  Statistics work;
  work.cpu_seconds = thread_cpu_seconds() - began;
  long errors = 0;
  long stalls = 0;
  IDAGetNumSteps(ida, &work.accepted);
  IDAGetNumErrTestFails(ida, &errors);
  IDAGetNumNonlinSolvConvFails(ida, &stalls);
  IDAGetNumResEvals(ida, &work.evaluations);
  IDAGetNumJacEvals(ida, &work.jacobians);
  work.factorizations = work.jacobians;
  work.rejected = errors + stalls;
  work.steps = work.accepted + work.rejected;
  form.read(t, view(y), view(rate));
  std::string trouble;
  if (flag < 0) {
    char* name = IDAGetReturnFlagName(flag);
    trouble = fmt::format("IDA stopped at t = {:.6g} s of {:.6g} s: {}", t, problem.until, name);
    free(name);  // NOLINT: allocated by IDA
  }
  IDAFree(&ida);
  SUNLinSolFree(solver);
  SUNMatDestroy(J);
  for (N_Vector vector : {y, rate, differential, tolerance}) N_VDestroy(vector);
  SUNContext_Free(&context);
  return finish(problem, form.state(), work, trouble);
}

}  // namespace raak::peers
