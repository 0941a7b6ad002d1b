// What depends on time alone in the elements of a large mechanism: drivers, equations and forces.
#include <map>

#include "base/linear/index.h"
#include "mechanism/large/large_system.h"

namespace raak {
namespace {

// Those of all elements that have the same formulas.
struct KernelOfTime {
  TimeFunctions functions;  // how many
  std::unique_ptr<Kernel> kernel;
};

KernelOfTime record_functions_of_time(const ElementFormulas& recorded) {
  Tape tape(recorded.tape);
  const Tape::Recording recording(tape);
  KernelOfTime found{write_time_functions(tape, recorded.t, parameter_block), nullptr};
  if (found.functions.formulas > 0) found.kernel = std::make_unique<Kernel>(tape);
  return found;
}

// Of all elements that have any, one after the other: formulas first, then switches.
class FunctionsOfTime {
 public:
  explicit FunctionsOfTime(const Elements& elements) : library_(elements.library) {
    for (const RowElement& row : elements.rows) add(row);
    for (const ForceElement& force : elements.forces) add(force);
  }

  TimeFunctions counted() const {
    TimeFunctions sum;
    for (const Part& part : parts_) {
      sum.formulas += part.of->functions.formulas;
      sum.switches += part.of->functions.switches;
    }
    return sum;
  }

  void evaluate(const double* t, double* values) const {
    const Pack* const kept = library_->kept(static_cast<const Pack*>(nullptr));
    std::vector<Pack> results;
    double* formulas = values;
    double* switches = values + lanes * counted().formulas;
    const auto take = [](const Pack* from, int count, double*& to) {
      for (int i = 0; i < count; ++i, to += lanes) from[i].store(to);
    };
    for (const Part& part : parts_) {
      const TimeFunctions& count = part.of->functions;
      results.resize(z(count.formulas + count.switches));
      const double* const in[4] = {t, reinterpret_cast<const double*>(kept + part.parameters), nullptr, nullptr};
      double* const out[3] = {reinterpret_cast<double*>(results.data()), nullptr, nullptr};
      part.of->kernel->run(in, out);
      take(results.data(), count.formulas, formulas);
      take(results.data() + count.formulas, count.switches, switches);
    }
  }

 private:
  struct Part {
    const KernelOfTime* of;
    int parameters;
  };
  template <class Element>
  void add(const Element& element) {
    const auto [known, is_new] = recorded_.try_emplace(&element.kernels->formulas());
    if (is_new) known->second = record_functions_of_time(element.kernels->formulas());
    if (known->second.kernel) parts_.push_back({&known->second, element.parameters});
  }

  std::shared_ptr<const ElementLibrary> library_;
  std::map<const ElementFormulas*, KernelOfTime> recorded_;
  std::vector<Part> parts_;
};

}  // namespace

const TimeFormulas* LargeSystem::time_formulas() const {
  std::call_once(in_time_once_, [this] {
    const PreparationTimer timer;
    const auto all = std::make_shared<const FunctionsOfTime>(evaluation_->elements());
    TimeFunctions functions = all->counted();
    if (functions.formulas == 0) return;
    functions.evaluate = [all](const double* t, double* values) { all->evaluate(t, values); };
    in_time_ = std::make_unique<TimeFormulas>(std::move(functions));
  });
  return in_time_.get();
}

}  // namespace raak
