// One case of a sweep as a run of its own: `raak run --case DIR:I`.
#pragma once
#include <cstdint>
#include <string>
#include <utility>

#include "cli/commands/commands.h"
#include "cli/request/chosen_model.h"
#include "study/sweep/swept_model.h"

namespace raak::cli {

// A case of a sweep with the model of the folder, ready to run.
class SweepCase {
 public:
  // "DIR:I". Refuses options of `raak run` that the case has already.
  explicit SweepCase(const RunOptions& options);

  // Lives no longer than this.
  ChosenModel chosen() const { return {&swept_.source, &run_, method_, run_.form, model_, parameters_}; }
  // What varies with its numbers, and whether the row of the folder is repeated to the bit.
  std::string remark() const;

 private:
  SweptModel swept_;
  std::string folder_;
  std::uint64_t case_ = 0;
  bool exact_ = false;
  Run run_;
  std::string method_;
  Model model_;
  Parameters parameters_;
  std::vector<double> numbers_;
};

}  // namespace raak::cli
