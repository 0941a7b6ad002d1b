#include "mechanism/large/large_passes.h"

namespace raak {

LargePasses::LargePasses(const PassScene& scene, const std::vector<Plan>& plans, bool multipliers) {
  const PreparationTimer timer;
  PassBuilder builder(scene);
  for (const Plan& plan : plans) {
    pairs_.emplace_back();
    pays_ = pays_ && builder.add(plan.forward, pairs_.back().forward) && builder.add(plan.back, pairs_.back().back);
  }
  if (!pays_) return;
  memory_ = builder.memory();
  for (std::size_t e = 0; e < scene.elements.rows.size() && multipliers; ++e) {
    const std::vector<int>& rows = scene.elements.rows[e].rows;
    for (std::size_t k = 0; k < rows.size(); ++k)
      multipliers_.emplace_back(rows[k], builder.right_side_at(static_cast<int>(e), static_cast<int>(k)));
  }
  recipes_ = builder.take_recipes();
  numbers_ = builder.take_numbers();
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
  const PassMemory<Number> at{memory,  numbers_->kept(static_cast<const Number*>(nullptr)), q, v, memory, results};
  PassSums<Number> sums{Number(1.0), Number(0.0)};
  run_pass(pairs_[which].forward, at, sums);
  run_pass(pairs_[which].back, at, sums);
  return sums;
}

template PassSums<double> LargePasses::run(std::size_t, const double*, const double*, double*, double*) const;
template PassSums<Pack> LargePasses::run(std::size_t, const Pack*, const Pack*, Pack*, Pack*) const;

}  // namespace raak
