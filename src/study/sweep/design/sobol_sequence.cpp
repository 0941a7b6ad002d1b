#include "study/sweep/design/sobol_sequence.h"

#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace raak {

namespace embedded {
const std::map<std::string_view, std::string_view>& sweep_tables();
}

namespace {

// "dimension,polynomial,m1 m2 ..": the coefficients of the primitive polynomial as bits, and the first direction
// numbers.
std::array<std::uint64_t, SobolSequence::bits> directions_of(const std::string& line) {
  const std::size_t first = line.find(','), second = line.find(',', first + 1);
  const std::uint64_t polynomial = std::stoull(line.substr(first + 1, second - first - 1));
  std::array<std::uint64_t, SobolSequence::bits> m{};
  std::size_t degree = 0;
  std::istringstream numbers(line.substr(second + 1));
  while (numbers >> m[degree]) ++degree;
  for (std::size_t i = degree; i < m.size(); ++i) {
    m[i] = m[i - degree] ^ (m[i - degree] << degree);
    for (std::size_t k = 1; k < degree; ++k)
      if ((polynomial >> (degree - k) & 1) != 0) m[i] ^= m[i - k] << k;
  }
  for (std::size_t i = 0; i < m.size(); ++i) m[i] <<= 63 - i;
  return m;
}

}  // namespace

SobolSequence::SobolSequence(int dimensions) {
  if (dimensions > most_dimensions) throw std::logic_error("there are no direction numbers for so many dimensions");
  auto& first = directions_.emplace_back();  // van der Corput's sequence
  for (std::size_t i = 0; i < first.size(); ++i) first[i] = std::uint64_t{1} << (63 - i);
  std::istringstream table{std::string(embedded::sweep_tables().at("joe_kuo.csv"))};
  std::string line;
  std::getline(table, line);
  while (static_cast<int>(directions_.size()) < dimensions && std::getline(table, line))
    directions_.push_back(directions_of(line));
}

std::uint64_t SobolSequence::at(std::uint64_t point, int dimension) const {
  std::uint64_t found = 0;
  std::uint64_t code = point ^ (point >> 1);
  for (const std::uint64_t direction : directions_[static_cast<std::size_t>(dimension)]) {
    if ((code & 1) != 0) found ^= direction;
    code >>= 1;
  }
  return found;
}

}  // namespace raak
