#include "output/column_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/text/text.h"

namespace raak {
namespace {

const std::array<std::string, 6> kinds{"q", "v", "a", "lambda", "energy", "violation"};

[[noreturn]] void refuse_columns(const std::string& message) {
  throw Error(ErrorKind::request, "--columns: " + message);
}

}  // namespace

std::vector<std::string> named_columns(const std::string& name, const std::vector<std::string>& columns) {
  const auto has = [&](const std::string& column) { return column != "t" && holds(columns, column); };
  if (has(name)) return {name};
  if (has("q." + name)) return {"q." + name};
  std::vector<std::string> found;
  if (std::find(kinds.begin(), kinds.end(), name) != kinds.end())
    for (const std::string& column : columns)
      if (column.starts_with(name + ".")) found.push_back(column);
  return found;
}

std::string unknown_column(const std::string& name, const std::vector<std::string>& columns) {
  std::vector<std::string> names(columns.begin() + (columns.empty() ? 0 : 1), columns.end());
  names.insert(names.end(), kinds.begin(), kinds.end());
  // Coordinates answer to their names alone, so those are nearer to what was meant than "q.NAME" is.
  for (const std::string& column : columns)
    if (column.starts_with("q.")) names.push_back(column.substr(2));
  return unknown_name("quantity", name, names);
}

std::vector<std::string> chosen_columns(const std::vector<std::string>& names,
                                        const std::vector<std::string>& columns) {
  std::vector<std::string> chosen;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == "t" && i == 0) continue;
    if (names[i] == "t") refuse_columns("t is the first column of every table; name the others only");
    const std::vector<std::string> found = named_columns(names[i], columns);
    if (found.empty()) refuse_columns(unknown_column(names[i], columns));
    for (const std::string& column : found) {
      if (holds(chosen, column)) refuse_columns(fmt::format("\"{}\" asks for {} a second time", names[i], column));
      chosen.push_back(column);
    }
  }
  if (chosen.empty()) refuse_columns("expected at least one column beside t");
  return chosen;
}

}  // namespace raak
