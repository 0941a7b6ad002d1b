#include "methods/composite/automatic_selectors.h"

#include <cmath>

namespace raak {
namespace {

constexpr double memory_of_signs = 11.0 / 12.0;  // over about the last twelve accepted steps

}  // namespace

// Independent coordinates fail at configurations of their own, all of them only where constraints become dependent. An
// end that projection cannot bring back shows a singular configuration, which independent coordinates step over from
// afar. Sweeps of independent coordinates that diverge are a sign of stiffness only.
void CoordinateSelector::note_refusal(Part active, bool diverged) {
  constexpr int refusals_of_projection = 4;
  if (diverged && active == Part::tangent) return;
  refusals_ += active == Part::gauss && !diverged ? refusals_of_projection : 1;
  if (active == Part::tangent) losses_ += 1.0;
}

CoordinateSelector::Part CoordinateSelector::after_refusals(Part active, bool may_use_tangent) {
  constexpr int most_of_independent = 6, most_of_all = 12, most_changes = 8;
  const bool independent = active == Part::tangent;
  const int most = independent ? most_of_independent : most_of_all;
  if (refusals_ < most || changes_ >= most_changes || (!independent && !may_use_tangent)) return active;
  ++changes_;
  refusals_ = 0;
  if (!independent) return Part::tangent;
  steps_of_gauss_ = next_steps_of_gauss_;
  next_steps_of_gauss_ *= 8;
  return Part::gauss;
}

CoordinateSelector::Part CoordinateSelector::after_step(Part active, bool seems_stiff, bool has_crossed) {
  // Coordinates that turn with the bodies, as those of gears and fast spatial rotations do, are lost in step after
  // step. Where the sweeps seem stiff fewer will do: those of coordinates that turn away soon diverge.
  constexpr double most_losses = 2.2, few_losses = 0.5;
  if (active == Part::gauss && steps_of_gauss_ > 0 && --steps_of_gauss_ == 0) return Part::tangent;
  losses_ *= memory_of_signs;
  const bool loses = losses_ >= (seems_stiff ? few_losses : most_losses);
  return active == Part::tangent && loses && !has_crossed ? Part::gauss : active;
}

bool StiffnessSelector::note_sweeps(const SweepRecord& record, double many, Hysteresis& signs) {
  // A step that grew too far may diverge once in any system; a stiff one diverges again at half of it.
  constexpr int of_divergence = 1, of_more_divergences = 3;
  // Where steps diverge again and again, and contract in between, as loose tolerances let them: one of five or more.
  constexpr double many_divergences = 2.2;
  constexpr double limited = 3.0;   // a step of the sweeps is this much shorter than accuracy wants
  constexpr int least_telling = 4;  // fewer sweeps are cheap, and their contraction is little more than rounding errors
  const bool diverged = divergences_ > 0;
  if (diverged) signs.add(of_divergence + of_more_divergences * (divergences_ - 1));
  diverging_ = memory_of_signs * diverging_ + (diverged ? 1.0 : 0.0);
  if (diverging_ > many_divergences) signs.add(Hysteresis::first_signs);
  return diverged || (record.wish > limited && record.sweeps >= least_telling) || record.sweeps >= many;
}

// Sweeps are cheaper than Newton corrections where they contract well, and four of them solve the stages.
bool StiffnessSelector::contract_well(double contraction, double tolerance) {
  constexpr double contracting = 0.15;
  return contraction < contracting && contraction < std::sqrt(std::sqrt(tolerance));
}

}  // namespace raak
