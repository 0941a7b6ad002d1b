#include "mechanism/formulas/formula_names.h"

namespace raak {
namespace {

// Each is recorded once, with the bodies that it speaks of only, and forgotten.
void record_once(const MaximalFormulas& formulas, const NamedQuantity& quantity) {
  const Instance& instance = formulas.instance();
  Tape tape;
  const Tape::Recording recording(tape);
  const auto meet = [&](int body) {
    BodyVariables variables{body, {}, {}};
    for (Reals* part : {&variables.q, &variables.v})
      for (int i = 0; i < instance.bodies()[static_cast<std::size_t>(body)].size; ++i)
        part->push_back(tape.new_input(1));
    return variables;
  };
  const Scene scene(instance, tape.new_input(0), meet);
  (void)formulas.evaluated_on(scene, quantity.value, [&](std::size_t /*row*/) { return tape.new_input(1); });
}

}  // namespace

void require_known_names(const MaximalFormulas& formulas) {
  const Mechanism& mechanism = formulas.instance().mechanism();
  for (const NamedQuantity& output : mechanism.outputs) record_once(formulas, output);
  for (const EventSpec& event : mechanism.events) record_once(formulas, {event.name, event.when});
}

}  // namespace raak
