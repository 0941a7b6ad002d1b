#include "system/time/time_formulas.h"

#include "base/linear/index.h"
#include "base/tape/derivative.h"
#include "base/tape/kernel.h"

namespace raak {

std::shared_ptr<const BriefMoments> TimeFormulas::brief_moments(double from, double until) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (from != from_ || until != until_) {
    const PreparationTimer timer;
    auto found = std::make_shared<const BriefMoments>(functions_, from, until);
    last_ = found->empty() ? nullptr : std::move(found);
    from_ = from;
    until_ = until;
  }
  return last_;
}

std::shared_ptr<const BriefMoments> brief_moments_of(const ConstrainedSystem& system, double from, double until) {
  const auto* const depending = dynamic_cast<const DependsOnTime*>(&system);
  const TimeFormulas* const formulas = depending != nullptr ? depending->time_formulas() : nullptr;
  return formulas != nullptr ? formulas->brief_moments(from, until) : nullptr;
}

TimeFunctions write_time_functions(Tape& tape, const Recorded& t, int constants) {
  constexpr int time_block = 0;
  const std::vector<Recorded> formulas = tape.functions_of(time_block, constants);
  const std::vector<Recorded> switches = tape.switching_functions();
  const std::vector<Tape::Dependence> depends = tape.dependences(time_block, constants);
  const std::vector<Recorded> along{Recorded(1.0)};
  const std::vector<Recorded> second = derivative_along(derivative_along(formulas, {t}, along), {t}, along);
  TimeFunctions written;
  for (std::size_t i = 0; i < formulas.size(); ++i) {
    if (second[i].stays_put()) continue;
    tape.add_output(0, formulas[i]);
    ++written.formulas;
  }
  for (const Recorded& each : switches) {
    if (depends[z(each.key() / 2)] != Tape::Dependence::one_block || written.formulas == 0) continue;
    tape.add_output(0, each);
    ++written.switches;
  }
  return written;
}

}  // namespace raak
