#include "cli/request/sweep_case.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/text/text.h"
#include "run/run_request.h"
#include "study/sweep/case_runner.h"
#include "study/sweep/store/sweep_folder.h"

namespace raak::cli {
namespace {

std::pair<std::string, std::string> parts_of(const RunOptions& options) {
  const std::string& text = *options.sweep_case;
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos || colon == 0)
    refuse(fmt::format("--case {}: expected DIR:I, the folder of a sweep and the number of a case, such as results:17",
                       text));
  const auto given = [](const auto& value) { return !value.empty(); };
  for (const auto& [option, is_given] :
       std::initializer_list<std::pair<const char*, bool>>{{"MODEL", given(options.model.model)},
                                                           {"--run", options.model.run.has_value()},
                                                           {"--set", given(options.model.settings)},
                                                           {"--form", options.model.form.has_value()},
                                                           {"--trust", given(options.model.trust)},
                                                           {"--guess", given(options.model.guess)},
                                                           {"--until", options.until.has_value()},
                                                           {"--method", given(options.method)},
                                                           {"--rtol", options.rtol.has_value()},
                                                           {"--atol", options.atol.has_value()},
                                                           {"--h0", options.first_step.has_value()},
                                                           {"--step", options.fixed_step.has_value()},
                                                           {"--resume", options.resume.has_value()},
                                                           {"--checkpoint", options.checkpoint.has_value()}})
    if (is_given) refuse(fmt::format("--case {}: the sweep says what is run; leave out {}", text, option));
  return {text.substr(0, colon), text.substr(colon + 1)};
}

}  // namespace

SweepCase::SweepCase(const RunOptions& options)
    : swept_(read_stored_sweep(parts_of(options).first)), folder_(parts_of(options).first) {
  const std::string text = parts_of(options).second;
  const auto number = parse_number(text);
  const auto cases = swept_.design.cases();
  if (!number || *number != std::floor(*number) || !(*number >= 0.0 && *number < static_cast<double>(cases)))
    refuse(fmt::format("--case {}: the sweep has cases 0 to {}, found \"{}\"", *options.sweep_case, cases - 1, text));
  case_ = static_cast<std::uint64_t>(*number);
  exact_ = read_passport(folder_).value("exact", false);
  CaseRunner runner(swept_, exact_);
  CaseRunner::Case found = runner.prepare(case_);
  run_ = std::move(found.run);
  model_ = std::move(found.model);
  parameters_ = std::move(found.parameters);
  numbers_ = std::move(found.numbers);
  keep_references_of(model_, run_.name);
  keep_references_of_start(swept_, parameters_, model_);
  method_ = method_of(run_);
}

std::string SweepCase::remark() const {
  std::string text = fmt::format("case {} of {}:", case_, folder_);
  for (std::size_t k = 0; k < numbers_.size(); ++k)
    text += fmt::format("{} {} = {}", k == 0 ? "" : ",", swept_.design.factors()[k].name, exact_text(numbers_[k]));
  const SweepFolder folder(folder_, swept_, exact_);
  const std::uint64_t size = folder.blocks().size;
  const ReadBlock read = folder.read(case_ / size);
  if (!read.block) return text + ". Its row is not computed yet";
  const double* const row = &read.block->values[(case_ % size) * swept_.width];
  std::vector<double> values(swept_.width);
  CaseRunner(swept_, exact_).run(case_, values);
  const bool same = std::memcmp(values.data(), row, values.size() * sizeof(double)) == 0;
  return text +
         (same ? ". Its row is repeated to the bit"
               : fmt::format(". Its row comes out differently here; it was computed by {}", read.block->processor));
}

}  // namespace raak::cli
