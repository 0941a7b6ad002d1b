// `raak man`: the manual page, from the same words as --help.
#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "cli/request/program_info.h"
#include "cli/terminal/terminal.h"

namespace raak::cli {
namespace {

// Text in roff: hyphens stay hyphens, backslashes and leading dots stay themselves.
std::string roff(const std::string& text) {
  std::string safe;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool starts = i == 0 || text[i - 1] == '\n';
    if (starts && (text[i] == '.' || text[i] == '\'')) safe += "\\&";
    if (text[i] == '\\') safe += "\\e";
    else if (text[i] == '-') safe += "\\-";
    else safe += text[i];
  }
  return safe;
}

std::string as_typed(const std::string& text) {
  return ".nf\n" + roff(text) + "\n.fi\n";
}

// What the program reads of its surroundings.
constexpr const char* environment =
    ".SH ENVIRONMENT\n"
    ".TP\n\\fBNO_COLOR\\fR\nNot empty: no colours on a terminal; neither where \\fBTERM\\fR is dumb.\n"
    ".TP\n\\fBRAAK_NO_EMIT\\fR\nSet: equations run in an interpreter, not as machine code.\n"
    ".TP\n\\fBRAAK_PLAIN\\fR\nSet: as on a machine without AVX2.\n"
    ".TP\n\\fBRAAK_HDF5\\fR\nThe HDF5 library to load, where it is not found by its usual names.\n";

// The words that a command takes come before its options, as they are typed.
std::vector<OptionInfo> words_first(std::vector<OptionInfo> options) {
  std::stable_partition(options.begin(), options.end(),
                        [](const OptionInfo& option) { return !option.name.starts_with('-'); });
  return options;
}

// Without the line breaks and the indents of --help: man fills its lines itself.
std::string filled(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  text.erase(std::unique(text.begin(), text.end(), [](char a, char b) { return a == ' ' && b == ' '; }), text.end());
  return text;
}

// What stands before and after some words.
std::pair<std::string, std::string> parted(const std::string& text, const std::string& words) {
  const std::size_t at = text.find(words);
  if (at == std::string::npos) return {text, ""};
  return {text.substr(0, at), text.substr(at + words.size())};
}

}  // namespace

std::string manual_page(const ProgramInfo& program) {
  std::string page = fmt::format(".TH RAAK 1 \"\" \"{}\" \"User Commands\"\n", program_name());
  page += ".SH NAME\nraak \\- simulate constrained mechanisms\n.SH SYNOPSIS\n.B raak\n.I COMMAND\n[\\fIOPTIONS\\fR]\n";
  page += ".SH DESCRIPTION\n" + roff(program.summary) + "\n.SH COMMANDS\n";
  for (const CommandInfo& command : program.commands) {
    page += fmt::format(".SS raak {}\n{}.\n", roff(command.name), roff(command.summary));
    for (const OptionInfo& option : words_first(command.options)) {
      page += fmt::format(".TP\n\\fB{}\\fR{}\n{}\n", roff(option.name),
                          option.form.empty() ? "" : " \\fI" + roff(option.form) + "\\fR", roff(option.meaning));
    }
    if (!command.footer.empty()) page += ".PP\n" + as_typed(command.footer);
  }
  const auto [examples, codes] = parted(program.footer, "Exit codes: ");
  page += ".SH EXIT STATUS\n" + roff(filled(codes)) + "\n";
  return page + environment + ".SH EXAMPLES\n" + as_typed(parted(examples, "Examples:\n").second);
}

}  // namespace raak::cli
