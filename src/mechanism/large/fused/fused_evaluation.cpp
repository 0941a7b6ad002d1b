#include "mechanism/large/fused/fused_evaluation.h"

namespace raak {
namespace {

std::vector<FusedTasks> merged(const std::vector<FusedTasks>& groups, std::size_t count) {
  std::vector<FusedTasks> result;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (g % count == 0) result.emplace_back();
    result.back().insert(result.back().end(), groups[g].begin(), groups[g].end());
  }
  return result;
}

}  // namespace

FusedEvaluation::FusedEvaluation(const FusedScene& scene, const std::vector<Plan>& plans, bool multipliers) {
  const PreparationTimer timer;
  // Kernels over several nodes have less to hand over; where nodes follow each other without a pattern one must do.
  pays_ = build(scene, plans, multipliers, 4) || build(scene, plans, multipliers, 1);
}

bool FusedEvaluation::build(const FusedScene& scene, const std::vector<Plan>& plans, bool multipliers,
                            std::size_t nodes) {
  FusedBuilder builder(scene);
  pairs_.clear();
  for (const Plan& plan : plans) {
    pairs_.emplace_back();
    if (!builder.add(merged(plan.forward, nodes), pairs_.back().forward)) return false;
    if (!builder.add(merged(plan.back, nodes), pairs_.back().back)) return false;
  }
  memory_ = builder.memory();
  for (std::size_t e = 0; e < scene.elements.rows.size() && multipliers; ++e) {
    const std::vector<int>& rows = scene.elements.rows[e].rows;
    for (std::size_t k = 0; k < rows.size(); ++k)
      multipliers_.emplace_back(rows[k], builder.right_side_at(static_cast<int>(e), static_cast<int>(k)));
  }
  recipes_ = builder.take_recipes();
  numbers_ = builder.take_numbers();
  return true;
}

// They are few, and each of them runs often.
void FusedEvaluation::emit(Width width) const {
  std::call_once(width == Width::one ? emitted_for_one_ : emitted_for_lanes_, [&] {
    for (const auto& [hash, entry] : recipes_) entry.second->kernel.kernel->emit(width);
  });
}

template <class Number>
FusedSums<Number> FusedEvaluation::run(std::size_t which, const Number* q, const Number* v, Number* memory,
                                       Number* results) const {
  emit(sizeof(Number) == sizeof(double) ? Width::one : Width::four);
  const FusedMemory<Number> at{memory, numbers_->kept(static_cast<const Number*>(nullptr)), q, v, memory, results};
  FusedSums<Number> sums{Number(1.0), Number(0.0)};
  run_fused(pairs_[which].forward, at, sums);
  run_fused(pairs_[which].back, at, sums);
  return sums;
}

template FusedSums<double> FusedEvaluation::run(std::size_t, const double*, const double*, double*, double*) const;
template FusedSums<Pack> FusedEvaluation::run(std::size_t, const Pack*, const Pack*, Pack*, Pack*) const;

}  // namespace raak
