#include "system/row.h"

#include <algorithm>
#include <cmath>

namespace raak {
namespace {

template <typename Is>
std::vector<int> places_of(const std::vector<Row>& rows, const Is& is) {
  std::vector<int> places;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (is(rows[i])) places.push_back(static_cast<int>(i));
  return places;
}

}  // namespace

double GapReading::operator()(double residual) const {
  if (kind == Kind::sine) return std::asin(std::clamp(residual, -1.0, 1.0));
  if (kind == Kind::rod) return std::sqrt(std::max(0.0, length * (length + 2.0 * residual))) - length;
  return residual;
}

std::vector<std::string> names_of(const std::vector<Row>& rows) {
  std::vector<std::string> names;
  for (const Row& row : rows) names.push_back(row.name());
  return names;
}

std::vector<int> normalization_rows(const std::vector<Row>& rows) {
  return places_of(rows, [](const Row& row) { return row.holds_by_definition(); });
}
std::vector<int> other_rows(const std::vector<Row>& rows) {
  return places_of(rows, [](const Row& row) { return !row.holds_by_definition(); });
}
std::vector<int> doubtful_rows(const std::vector<Row>& rows) {
  return places_of(rows, [](const Row& row) { return row.may_be_wrong(); });
}

}  // namespace raak
