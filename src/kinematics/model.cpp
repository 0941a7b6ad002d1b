#include "kinematics/model.h"

#include <cmath>
#include <string_view>

#include "base/error.h"
#include "base/text/text.h"

namespace raak {

std::optional<FirstStep> parse_first_step(const std::string& text) {
  constexpr std::string_view unit = "rtol", times = "*rtol";
  FirstStep step;
  const bool of_rtol = text.ends_with(times);
  const auto number =
      text == unit ? std::optional(1.0) : parse_number(of_rtol ? text.substr(0, text.size() - times.size()) : text);
  if (!number || !std::isfinite(*number) || *number <= 0.0) return std::nullopt;
  (of_rtol || text == unit ? step.of_rtol : step.seconds) = *number;
  return step;
}

const Run& find_run(const ModelSource& source, const std::optional<std::string>& name) {
  if (!name) return source.runs.front();
  std::vector<std::string> names;
  for (const Run& run : source.runs) {
    if (run.name == *name) return run;
    names.push_back(run.name);
  }
  throw Error(ErrorKind::request, unknown_name("run of " + source.name, *name, names));
}

}  // namespace raak
