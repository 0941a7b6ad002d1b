// Columns of results by the names that users give them: a column, a coordinate by its name alone, or a kind.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace raak {

// The columns that a name stands for; none: it is unknown. A bare coordinate stands for its position; kinds are q, v,
// a, lambda, energy and violation.
std::vector<std::string> named_columns(const std::string& name, const std::vector<std::string>& columns);
// Says so of an unknown name, with the nearest.
std::string unknown_column(const std::string& name, const std::vector<std::string>& columns);

// `--columns A,B,..`: the columns of the tables after t in the order of their names, each once; "t" may come first.
// Refuses what is unknown or asked for twice.
std::vector<std::string> chosen_columns(const std::vector<std::string>& names, const std::vector<std::string>& columns);

}  // namespace raak
