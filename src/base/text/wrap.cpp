#include "base/text/wrap.h"

#include <algorithm>

namespace raak {
namespace {

constexpr std::size_t narrow = 50;  // columns, below which the alignment of lists is given up

// Where the text of a list such as `  name    what it is` begins: after the last gap in the first third.
std::size_t text_column(const std::string& line, std::size_t columns) {
  const std::size_t first = std::min(line.find_first_not_of(' '), line.size());
  const std::size_t gap = line.rfind("  ", columns / 3);
  if (gap == std::string::npos || gap < first) return std::min(first + 2, columns / 3);
  return line.find_first_not_of(' ', gap);
}

// Where a word that is longer than a narrow line goes on in the next: behind a sign that parts it, if there is one in
// the second half, and never within a character.
std::size_t place_to_break(const std::string& line, std::size_t first, std::size_t columns) {
  const std::size_t sign = line.find_last_of(",./=-_:[(", columns - 1);
  if (sign != std::string::npos && sign > first + (columns - first) / 2) return sign + 1;
  std::size_t cut = columns;
  while (cut > first + 1 && (static_cast<unsigned char>(line[cut]) & 0xC0U) == 0x80U) --cut;
  return cut;
}

// One line without its end.
std::string wrap_line(std::string line, std::size_t columns) {
  if (line.size() <= columns) return line + "\n";
  std::size_t indent = 4;
  if (columns >= narrow) {
    indent = text_column(line, columns);
  } else {
    const std::size_t first = std::min(line.find_first_not_of(' '), line.size());
    line.erase(std::unique(line.begin() + static_cast<std::ptrdiff_t>(first), line.end(),
                           [](char a, char b) { return a == ' ' && b == ' '; }),
               line.end());
    if (first > indent) line.erase(0, first - indent);
  }
  std::string wrapped;
  while (line.size() > columns) {
    const std::size_t first = line.find_first_not_of(' ');
    if (first == std::string::npos) break;
    std::size_t cut = line.rfind(' ', columns);
    if (cut == std::string::npos || cut <= first)
      cut = columns < narrow ? place_to_break(line, first, columns) : line.find(' ', first);
    if (cut == std::string::npos) break;
    const std::size_t rest = std::min(line.find_first_not_of(' ', cut), line.size());
    wrapped += line.substr(0, line.find_last_not_of(' ', cut - 1) + 1) + "\n";
    if (rest == line.size()) return wrapped;
    // A word that is too long only because of the indent, as a number of all its digits, stays whole.
    const std::size_t word = std::min(line.find(' ', rest), line.size()) - rest;
    line = std::string(word > columns ? indent : std::min(indent, columns - word), ' ') + line.substr(rest);
  }
  return wrapped + line + "\n";
}

}  // namespace

std::string wrap(const std::string& text, std::size_t columns) {
  std::string wrapped;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    wrapped += wrap_line(text.substr(start, end - start), columns);
    start = end + 1;
  }
  return wrapped;
}

}  // namespace raak
