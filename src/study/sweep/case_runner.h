// Runs cases of a sweep one after the other, on one thread with a model of its own. Whatever ran before changes no bit:
// every case begins with the model as it was built with typical values, whose numbers change in place, or is built anew
// where they cannot. What a model chooses at its first evaluation, the order of elimination, is chosen at the typical
// start; and where a case has decided on the model (LiveParameters::decisions), the next one gets a new one.
#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "study/sweep/kept_values.h"
#include "study/sweep/swept_model.h"

namespace raak {

struct CaseOutcome {
  std::string cause = {};    // a word or two; empty: the run came to its end
  std::string message = {};  // what happened, and what to try
  bool interrupted = false;
};

class CaseRunner {
 public:
  // `exact`: each case is built anew, to the bit as `raak run --set` runs it.
  CaseRunner(const SweptModel& swept, bool exact, const std::atomic<bool>* stop = nullptr);
  ~CaseRunner();

  // Case i into `values`, which are not numbers where it fails.
  CaseOutcome run(std::uint64_t i, std::span<double> values);

  // For whoever wants more of a case than its numbers: its model with its start, its run and its parameters, to the bit
  // as run() takes them. Throws where there is none.
  struct Case {
    Model model;
    Run run;
    Parameters parameters;
    std::vector<double> numbers;
  };
  Case prepare(std::uint64_t i);

  // How many models were built so far, beside the first.
  std::uint64_t built_anew() const { return built_anew_; }

 private:
  struct Prepared;
  std::unique_ptr<Prepared> built(std::span<const double> numbers) const;
  void build_shared();
  // False: the model has no start with these numbers.
  bool begin_at(std::span<const double> numbers);
  Prepared& prepared_for(std::span<const double> numbers);
  void keep_to_what_was_built();
  bool set_in_place(std::span<const double> numbers);
  StartRequest start_of(const Model& model, std::span<const double> numbers) const;
  void plan_case(Prepared& prepared, std::span<const double> numbers) const;

  const SweptModel& swept_;
  bool exact_;
  const std::atomic<bool>* stop_;
  std::vector<double> numbers_;
  std::vector<std::pair<std::string, double>> parameters_;
  std::unique_ptr<Prepared> shared_, own_;  // for all cases; for one that was built anew
  long decisions_ = 0;                      // of the shared model as it was built
  std::uint64_t built_anew_ = 0;
};

}  // namespace raak
