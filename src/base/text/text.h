// Words and numbers as people write them: nearest valid name, strict number parsing, shortest exact printing.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace raak {

// The candidate a typing error away from `name` (optimal string alignment distance), if any is close enough.
std::optional<std::string> nearest_name(std::string_view name, const std::vector<std::string>& candidates);

// `no model is called "androws"; did you mean "andrews"? There are: ...`
std::string unknown_name(std::string_view kind, std::string_view name, const std::vector<std::string>& candidates);

bool holds(const std::vector<std::string>& names, const std::string& name);

std::string join(const std::vector<std::string>& words, std::string_view separator = ", ");

// The whole text as a number (inf and nan included); nothing if it is not one or double cannot hold it.
std::optional<double> parse_number(std::string_view text);

// Shortest digits that read back as the same double, without an exponent from 0.0001 up to 1e16: 0.0003, 100000, 3e-05.
std::string exact_text(double value);

// The same at a place with room for 32 characters; returns its end.
char* write_exactly(char* to, double value);

}  // namespace raak
