// The words of a command line, one a line, and each of them as the value of every option that is more than a word.
#include "cli/request/command_line.h"

#include <optional>
#include <string>
#include <vector>

#include "base/text/text.h"
#include "cli/request/arguments.h"
#include "tests/campaign/fuzz/target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using raak::ErrorKind, raak::fuzz::accepts;
  namespace cli = raak::cli;
  std::vector<std::string> words{"raak"};
  for (std::size_t at = 0; at < size;) {
    std::string word;
    for (; at < size && data[at] != '\n'; ++at)
      if (data[at] != 0) word += static_cast<char>(data[at]);  // no word of a command line has a NUL
    ++at;
    words.push_back(std::move(word));
  }
  std::vector<const char*> arguments;
  for (const std::string& word : words) arguments.push_back(word.c_str());
  static cli::CommandLine line;
  accepts([&] { line.parse(static_cast<int>(arguments.size()), arguments.data()); }, {ErrorKind::request});
  if (words.size() > 8) return 0;
  for (const std::string& word : words) {
    const auto reads = [&](const auto& reading) { accepts(reading, {ErrorKind::request}); };
    reads([&] { cli::read_tolerances(word, word, raak::Run{}); });
    reads([&] { cli::read_rtol_grid(word); });
    reads([&] { cli::read_at(word, 0.0, 1.0); });
    // Over a second, or so short a run that samples are few: millions take as long as they must.
    const double spacing = raak::parse_number(word).value_or(1.0);
    reads([&] { cli::read_every(word, 0.0, spacing > 1e-9 && spacing < 1e-3 ? 1e3 * spacing : 1.0); });
    reads([&] { cli::read_words("--methods", word); });
    reads([&] { cli::read_settings({word}); });
    if (cli::shell_word(word).empty()) raak::fuzz::found("a word became nothing");
  }
  return 0;
}
