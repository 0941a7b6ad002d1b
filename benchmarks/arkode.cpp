// SUNDIALS ARKODE: explicit Runge-Kutta pairs on y = (q, v) with the accelerations of the index-1 form; both levels of
// the constraints are restored after each step by ARKODE's hook for that.
#include <arkode/arkode_erkstep.h>
#include <fmt/format.h>
#include <nvector/nvector_serial.h>

#include <cmath>

#include "benchmarks/peer.h"

namespace raak::peers {
namespace {

struct Scratch {
  const ConstrainedSystem& system;
  Vector lambda;
};

int rate(double t, N_Vector y, N_Vector dy, void* data) {
  Scratch& scratch = *static_cast<Scratch*>(data);
  const int n = scratch.system.coordinates();
  const double* from = N_VGetArrayPointer(y);
  double* to = N_VGetArrayPointer(dy);
  std::copy(from + n, from + 2 * n, to);
  scratch.system.accelerate(t, from, from + n, to + n, scratch.lambda.data());
  return Eigen::Map<Vector>(to, 2 * n).allFinite() ? 0 : 1;
}

int project(double t, N_Vector y, void* data) {
  const ConstrainedSystem& system = static_cast<Scratch*>(data)->system;
  double* q = N_VGetArrayPointer(y);
  for (int i = 0; i < 5 && system.correct_position(t, q) > 1e-14; ++i) {
  }
  system.correct_velocity(t, q, q + system.coordinates());
  return 0;
}

Result run(const Problem& problem, ARKODE_ERKTableID table) {
  const Eigen::Index n = problem.system.coordinates();
  Scratch scratch{problem.system, Vector::Zero(problem.system.rows())};
  SUNContext context = nullptr;
  SUNContext_Create(nullptr, &context);
  N_Vector y = N_VNew_Serial(2 * n, context);
  Eigen::Map<Vector>(N_VGetArrayPointer(y), 2 * n) << problem.start.q, problem.start.v;
  void* erk = ERKStepCreate(rate, problem.start.t, y, context);
  ERKStepSetUserData(erk, &scratch);
  ERKStepSetTableNum(erk, table);
  ERKStepSStolerances(erk, problem.rtol, problem.atol);
  ERKStepSetPostprocessStepFn(erk, project);
  ERKStepSetMaxNumSteps(erk, most_steps);
  if (problem.first_step > 0.0)
    ERKStepSetInitStep(erk, std::copysign(problem.first_step, problem.until - problem.start.t));
  ERKStepSetStopTime(erk, problem.until);
  ERKStepSetErrFile(erk, nullptr);

  const double began = thread_cpu_seconds();
  double t = problem.start.t;
  const int flag = ERKStepEvolve(erk, problem.until, y, &t, ARK_NORMAL);
  Statistics work;
  work.cpu_seconds = thread_cpu_seconds() - began;
  ERKStepGetNumSteps(erk, &work.accepted);
  ERKStepGetNumErrTestFails(erk, &work.rejected);
  ERKStepGetNumRhsEvals(erk, &work.evaluations);
  work.steps = work.accepted + work.rejected;
  State end = State::of_size(n, problem.system.rows());
  end.t = t;
  end.q = Eigen::Map<Vector>(N_VGetArrayPointer(y), n);
  end.v = Eigen::Map<Vector>(N_VGetArrayPointer(y) + n, n);
  update_accelerations(problem.system, end);
  std::string trouble;
  if (flag < 0) {
    char* name = ERKStepGetReturnFlagName(flag);
    trouble = fmt::format("ARKODE stopped at t = {:.6g} s of {:.6g} s: {}", t, problem.until, name);
    free(name);  // NOLINT: allocated by ARKODE
  }
  ERKStepFree(&erk);
  N_VDestroy(y);
  SUNContext_Free(&context);
  return finish(problem, end, work, trouble);
}

}  // namespace

Result arkode_order5(const Problem& problem) {
  return run(problem, ARKODE_DORMAND_PRINCE_7_4_5);
}

Result arkode_order8(const Problem& problem) {
  return run(problem, ARKODE_FEHLBERG_13_7_8);
}

}  // namespace raak::peers
