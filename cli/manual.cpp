// `raak man`: the manual page, from the same words as --help.
#include <fmt/format.h>

#include "cli/program_info.h"
#include "cli/terminal.h"

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

}  // namespace

std::string manual_page(const ProgramInfo& program) {
  std::string page = fmt::format(".TH RAAK 1 \"\" \"{}\" \"User Commands\"\n", program_name());
  page += ".SH NAME\nraak \\- simulate constrained mechanisms\n.SH SYNOPSIS\n.B raak\n.I COMMAND\n[\\fIOPTIONS\\fR]\n";
  page += ".SH DESCRIPTION\n" + roff(program.summary) + "\n.SH COMMANDS\n";
  for (const CommandInfo& command : program.commands) {
    page += fmt::format(".SS raak {}\n{}.\n", roff(command.name), roff(command.summary));
    for (const OptionInfo& option : command.options) {
      page += fmt::format(".TP\n\\fB{}\\fR{}\n{}\n", roff(option.name),
                          option.form.empty() ? "" : " \\fI" + roff(option.form) + "\\fR", roff(option.meaning));
    }
    if (!command.footer.empty()) page += ".PP\n" + as_typed(command.footer);
  }
  return page + ".SH EXAMPLES\n" + as_typed(program.footer);
}

}  // namespace raak::cli
