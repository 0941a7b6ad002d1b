// The equations in independent coordinates that are a part of q (Wehage and Haug, J. Mech. Design 104, 1982). G_D, the
// columns of the dependent part, is eliminated once for four purposes:
//   q_D := q_D - G_D^-1 g              one Newton step towards g = 0, the independent part held
//   N_D  = -G_D^-1 G_I                 how the dependent part follows the independent one
//   v_D  = N_D v_I - G_D^-1 g_t        the velocities that satisfy g' = 0
//   a    = p + N z,  (N'MN) z = N'(f - M p),  G p = bias
// All of them belong to q as it was given, before the Newton step.
#pragma once
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "base/tape/kernel.h"
#include "system/constrained_system.h"
#include "system/elimination/pivot_plan.h"

namespace raak {

// What is written, in packs: entry i of lane k lies at [lanes * i + k].
struct PartitionOutput {
  double* a;             // n
  double* dependent;     // m of q_D corrected, m of v_D, then N_D row by row; in the order of dependent()
  double* determinants;  // of the blocks of the plan
};

// One choice of independent coordinates. Systems without velocity rows only.
class Partition {
 public:
  explicit Partition(const PivotPlan& plan);
  virtual ~Partition() = default;
  Partition(const Partition&) = delete;
  Partition& operator=(const Partition&) = delete;

  // For four states at once; of v only the independent part is read. 32-byte aligned.
  virtual void evaluate(const double* t, const double* q, const double* v, const PartitionOutput& out) const = 0;

  // The linearised equations at one state in the independent coordinates: mass, damping and stiffness, of
  // independent().size() rows each, one after the other, row by row, in packs of equal lanes. False: only
  // ConstrainedSystem's own functions can say.
  virtual bool linearise(const double* /*t*/, const double* /*q*/, const double* /*v*/, double* /*terms*/) const {
    return false;
  }
  // Cycles of it, as Program::cost() counts them; 0 before its first use.
  virtual double linearisation_cost() const { return 0.0; }

  const PivotPlan& plan() const { return plan_; }
  const std::vector<int>& dependent() const { return dependent_; }
  const std::vector<int>& independent() const { return plan_.independent; }

 private:
  PivotPlan plan_;
  std::vector<int> dependent_;  // pivot columns
};

class RecordedPartition final : public Partition {
 public:
  using Recorder = std::function<std::unique_ptr<Kernel>()>;
  RecordedPartition(const PivotPlan& plan, std::unique_ptr<Kernel> kernel, Recorder linearisation)
      : Partition(plan), kernel_(std::move(kernel)), record_linearisation_(std::move(linearisation)) {}
  void evaluate(const double* t, const double* q, const double* v, const PartitionOutput& out) const override {
    const double* const in[4] = {t, q, v, nullptr};
    double* const blocks[3] = {out.a, out.dependent, out.determinants};
    kernel_->run(in, blocks);
  }
  bool linearise(const double* t, const double* q, const double* v, double* terms) const override {
    std::call_once(linearisation_once_, [this] { linearisation_ = record_linearisation_(); });
    const double* const in[4] = {t, q, v, nullptr};
    double* const blocks[3] = {terms, nullptr, nullptr};
    linearisation_->run(in, blocks);
    return true;
  }
  double linearisation_cost() const override { return linearisation_ ? linearisation_->program().cost() : 0.0; }
  const Kernel& kernel() const { return *kernel_; }

 private:
  std::unique_ptr<Kernel> kernel_;
  Recorder record_linearisation_;
  mutable std::once_flag linearisation_once_;
  mutable std::unique_ptr<Kernel> linearisation_;
};

// The same by the virtual functions of any system, one state after the other: slow. Belongs to one thread.
class DensePartition final : public Partition {
 public:
  DensePartition(const ConstrainedSystem& system, const PivotPlan& plan);
  ~DensePartition() override;
  void evaluate(const double* t, const double* q, const double* v, const PartitionOutput& out) const override;

 private:
  struct Scratch;
  const ConstrainedSystem& system_;
  std::unique_ptr<Scratch> scratch_;
};

}  // namespace raak
