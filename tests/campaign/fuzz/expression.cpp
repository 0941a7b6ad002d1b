// Formulas: the first line has names with hyphens, the rest is a formula. What is accepted is evaluated with numbers
// and recorded, and both follow the same operations.
#include "base/text/expression.h"

#include <string>
#include <string_view>
#include <vector>

#include "base/tape/tape.h"
#include "tests/campaign/fuzz/target.h"

namespace {

std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  while (!line.empty()) {
    const std::size_t end = line.find(' ');
    if (end != 0) words.emplace_back(line.substr(0, end));
    line = end == std::string_view::npos ? std::string_view() : line.substr(end + 1);
  }
  return words;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using raak::Expression, raak::Recorded;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view formula = end < text.size() ? text.substr(end + 1) : text;
  try {
    const Expression expression = Expression::parse(formula, words_of(text.substr(0, end < text.size() ? end : 0)));
    for (const Expression::Name& name : expression.names())
      if (name.offset >= formula.size() || name.text.empty()) raak::fuzz::found("a name outside the text");
    static_cast<void>(expression.evaluate<double>(
        [](const Expression::Name& name) { return 0.25 * static_cast<double>(name.text.size()); }));
    raak::Tape tape;
    const raak::Tape::Recording recording(tape);
    static_cast<void>(expression.evaluate<Recorded>(
        [](const Expression::Name& name) { return Recorded(0.25 * static_cast<double>(name.text.size())); }));
  } catch (const raak::ExpressionError& error) {
    if (error.offset() > formula.size()) raak::fuzz::found("an error outside the text");
  }
  return 0;
}
