// Only this file and options.cpp include CLI11, which is slow to compile.
#include "cli/request/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <string_view>

#include "base/error.h"
#include "base/text/text.h"
#include "base/text/visible_text.h"
#include "cli/commands/commands.h"
#include "cli/request/arguments.h"
#include "cli/request/options.h"
#include "cli/request/program_info.h"
#include "cli/terminal/terminal.h"

namespace raak::cli {
namespace {

ProgramInfo describe(CLI::App& app) {
  ProgramInfo program{app.get_description(), app.get_footer(), {}};
  for (const CLI::App* command : app.get_subcommands([](CLI::App*) { return true; })) {
    CommandInfo info{command->get_name(), command->get_description(), {}, command->get_footer()};
    for (const CLI::Option* option : command->get_options()) {
      const bool named = !option->get_lnames().empty();
      info.options.push_back({named ? "--" + option->get_lnames().front() : option->get_name(true),
                              option->get_type_name(), option->get_description()});
    }
    program.commands.push_back(std::move(info));
  }
  return program;
}

// CLI11's words for a missing or repeated value, in ours.
std::string say_it_plainly(const CLI::ParseError& error) {
  std::string text = error.what();
  const std::string option = text.substr(0, text.find(':'));
  if (text.find("missing") != std::string::npos) return option + " needs a value";
  if (text.find("At Most") != std::string::npos) return option + " is given more than once";
  if (text.find("flag override") != std::string::npos) return "--" + text.substr(0, text.find(' ')) + " takes no value";
  return text;
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    if (!option->get_lnames().empty()) names.push_back("--" + option->get_lnames().front());
  }
  return names;
}

// As it is typed: "raak run".
std::string full_name(const CLI::App& command) {
  const CLI::App* const program = command.get_parent();
  return program == nullptr ? command.get_name() : program->get_name() + " " + command.get_name();
}

void refuse_leftovers(const CLI::App& command) {
  const std::vector<std::string> left = command.remaining();
  if (left.empty()) return;
  const std::string& word = left.front();
  if (!word.starts_with('-')) {
    throw Error(ErrorKind::request,
                "\"" + cut_short(word) + "\" is one word too many; see " + full_name(command) + " --help");
  }
  const std::string name = word.substr(0, word.find('='));
  throw Error(ErrorKind::request, unknown_name("option of " + full_name(command), name, option_names(command)));
}

// `raak help run` is `raak run --help`.
std::string asked_for_help(const std::string& command, const std::vector<std::string>& names) {
  if (std::find(names.begin(), names.end(), command) == names.end())
    throw Error(ErrorKind::request, unknown_name("command", command, names));
  return command + " --help";
}

const char* const examples_and_exit_codes =
    "Examples:\n"
    "  raak list\n"
    "  raak run andrews --out results\n"
    "  raak report results\n"
    "  raak compare results others\n"
    "  raak check\n"
    "  raak bench andrews --out results\n"
    "  raak assemble andrews-iftomm\n"
    "  raak new four-bar\n"
    "Exit codes: 0 done, 1 model file error, 2 usage error, 3 the computation failed, 4 a check was not met,\n"
    "            70 an internal error, 130 stopped by Ctrl-C.";

}  // namespace

struct CommandLine::Parts {
  CLI::App app{"Raak simulates constrained mechanisms accurately.", "raak"};
  Options options;
  Commands commands;
  std::vector<std::string> names;
};

CommandLine::CommandLine() : parts_(std::make_unique<Parts>()) {
  CLI::App& app = parts_->app;
  app.set_version_flag("-V,--version", program_name());
  app.footer(examples_and_exit_codes);
  parts_->commands = add_commands(app, parts_->options, [&app] { return describe(app); });
  app.require_subcommand(0, 1);  // what follows a command may have the name of another one
  for (const auto& [command, action] : parts_->commands) {
    command->allow_extras();
    parts_->names.push_back(command->get_name());
  }
  app.allow_extras();
}

CommandLine::~CommandLine() = default;

std::function<int()> CommandLine::parse(int argc, const char* const* argv) {
  CLI::App& app = parts_->app;
  const std::vector<std::string>& names = parts_->names;
  const auto show = [](std::string text) {
    return [text = std::move(text)] {
      print_text(text);
      return 0;
    };
  };
  if (argc < 2) return show(app.help());
  try {
    if (std::string_view(argv[1]) == "help") app.parse(argc < 3 ? "--help" : asked_for_help(argv[2], names));
    else app.parse(argc, argv);
    parts_->options.run.command = command_text(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return show(app.help());  // of the command that was named, if one was
  } catch (const CLI::CallForVersion&) {
    return show(program_name() + "\n");
  } catch (const CLI::ParseError& error) {
    throw Error(ErrorKind::request, say_it_plainly(error));
  }
  for (const auto& [command, action] : parts_->commands) {
    if (!command->parsed()) continue;
    refuse_leftovers(*command);
    refuse_leftovers(app);
    return action;
  }
  const std::vector<std::string> left = app.remaining();
  if (!left.empty() && !left.front().starts_with('-')) {
    throw Error(ErrorKind::request, unknown_name("command", left.front(), names));
  }
  refuse_leftovers(app);
  throw Error(ErrorKind::request, "name a command. There are: " + join(names));
}

}  // namespace raak::cli
