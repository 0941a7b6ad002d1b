#include "mechanism/large/passes/large_passes.h"

namespace raak {
namespace {

std::vector<PassTasks> merged(const std::vector<PassTasks>& groups, std::size_t count) {
  std::vector<PassTasks> result;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (g % count == 0) result.emplace_back();
    result.back().insert(result.back().end(), groups[g].begin(), groups[g].end());
  }
  return result;
}

}  // namespace

LargePasses::LargePasses(const PassScene& scene, const std::vector<Plan>& plans, bool multipliers) {
  const PreparationTimer timer;
  // Kernels over several nodes have less to hand over; where nodes follow each other without a pattern one must do.
  pays_ = build(scene, plans, multipliers, 4) || build(scene, plans, multipliers, 1);
}

bool LargePasses::build(const PassScene& scene, const std::vector<Plan>& plans, bool multipliers, std::size_t nodes) {
  PassBuilder builder(scene);
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
void LargePasses::emit(Width width) const {
  std::call_once(width == Width::one ? emitted_for_one_ : emitted_for_lanes_, [&] {
    for (const auto& [hash, entry] : recipes_) entry.second->kernel.kernel->emit(width);
  });
}

template <class Number>
PassSums<Number> LargePasses::run(std::size_t which, const Number* q, const Number* v, Number* memory,
                                  Number* results) const {
  emit(sizeof(Number) == sizeof(double) ? Width::one : Width::four);
  const PassMemory<Number> at{memory, numbers_->kept(static_cast<const Number*>(nullptr)), q, v, memory, results};
  PassSums<Number> sums{Number(1.0), Number(0.0)};
  run_pass(pairs_[which].forward, at, sums);
  run_pass(pairs_[which].back, at, sums);
  return sums;
}

template PassSums<double> LargePasses::run(std::size_t, const double*, const double*, double*, double*) const;
template PassSums<Pack> LargePasses::run(std::size_t, const Pack*, const Pack*, Pack*, Pack*) const;

}  // namespace raak
