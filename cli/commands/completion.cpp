// `raak completion`: what a shell offers when the user presses Tab: commands, options, models, methods and forms.
#include <fmt/format.h>

#include <set>

#include "base/error.h"
#include "base/text/text.h"
#include "cli/request/program_info.h"
#include "kinematics/model.h"
#include "methods/method.h"
#include "modelfile/templates.h"
#include "output/catalogue.h"
#include "problems/catalogue.h"

namespace raak::cli {
namespace {

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const ModelSource& source : problem_catalogue()) names.push_back(source.name);
  return names;
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const MethodInfo& method : method_catalogue()) names.push_back(method.name);
  return names;
}

std::vector<std::string> run_names(const ModelSource& source) {
  std::vector<std::string> names;
  for (const Run& run : source.runs) names.push_back(run.name);
  return names;
}

// Of all models that are built in.
std::vector<std::string> run_names() {
  std::set<std::string> names;
  for (const ModelSource& source : problem_catalogue())
    for (const Run& run : source.runs) names.insert(run.name);
  return {names.begin(), names.end()};
}

std::vector<std::string> parameter_names(const ModelSource& source) {
  std::vector<std::string> names;
  for (const Parameter& parameter : source.parameters.all()) names.push_back(parameter.name + "=");
  return names;
}

// With the words of choices.
std::vector<std::string> whole_settings(const ModelSource& source) {
  std::vector<std::string> settings;
  for (const Parameter& parameter : source.parameters.all()) {
    if (parameter.choices.empty()) settings.push_back(parameter.name + "=");
    for (const std::string& choice : parameter.choices) settings.push_back(parameter.name + "=" + choice);
  }
  return settings;
}

// Of every choice of a built-in model a line `MODEL.NAME) echo "linear nonlinear" ;;` in a shell's case.
std::string choices_by_model(const std::string& indent) {
  std::string text;
  for (const ModelSource& source : problem_catalogue())
    for (const Parameter& parameter : source.parameters.all())
      if (!parameter.choices.empty())
        text +=
            fmt::format("{}{}.{}) echo \"{}\" ;;\n", indent, source.name, parameter.name, join(parameter.choices, " "));
  return text;
}

// Prints NAME= of each parameter of a file, in a shell.
const char* const parameters_of_file =
    "sed -n '/^ *\\[parameters\\]/,/^ *\\[/s/^ *\\([A-Za-z_][A-Za-z0-9_]*\\) *=.*/\\1=/p'";

// Of every built-in model a line `NAME) echo "k= m=" ;;` in a shell's case, and of a file what it declares.
std::string parameters_by_model(const std::string& indent, const std::string& model) {
  std::string text;
  for (const ModelSource& source : problem_catalogue())
    text += fmt::format("{}{}) echo \"{}\" ;;\n", indent, source.name, join(parameter_names(source), " "));
  return text +
         fmt::format("{0}*.toml) [ -f \"{2}\" ] && {1} \"{2}\" 2>/dev/null ;;\n", indent, parameters_of_file, model);
}

// What may follow an option; empty: nothing we know.
std::string values_of(const std::string& option) {
  if (option == "--method" || option == "--methods") return join(method_names(), " ");
  if (option == "--form" || option == "--forms") return join(form_names(), " ");
  if (option == "--format") return join(table_format_names(), " ");
  if (option == "--run") return join(run_names(), " ");
  if (option == "MODEL") return join(model_names(), " ");
  if (option == "TOPIC") return "models methods joints forces formats templates";
  if (option == "NAME" || option == "--template") return join(template_names(), " ");
  if (option == "SHELL") return "bash zsh fish";
  return "";
}

bool takes_path(const std::string& option) {
  return option == "--out" || option == "--against" || option == "DIR" || option == "FILE";
}

std::vector<std::string> flags_of(const CommandInfo& command) {
  std::vector<std::string> flags;
  for (const OptionInfo& option : command.options) {
    if (option.name.starts_with("--")) flags.push_back(option.name);
  }
  return flags;
}

std::string words_of(const CommandInfo& command) {
  for (const OptionInfo& option : command.options) {
    if (!option.name.starts_with("--")) return values_of(option.name);
  }
  return "";
}

std::vector<std::string> command_names(const ProgramInfo& program) {
  std::vector<std::string> names;
  for (const CommandInfo& command : program.commands) names.push_back(command.name);
  return names;
}

// The runs of the model that stands on the line before: built in, or the [runs.NAME] of a file.
std::string bash_runs() {
  std::string text =
      "    --run)\n      local model runs=\"\"\n      for model in \"${COMP_WORDS[@]:2}\"; do\n        case \"$model\" "
      "in\n";
  for (const ModelSource& source : problem_catalogue())
    text += fmt::format("          {}) runs=\"{}\" ;;\n", source.name, join(run_names(source), " "));
  return text +
         "          *.toml) [ -f \"$model\" ] && runs=\"$(sed -n 's/^ *\\[runs\\.\\([A-Za-z0-9_-]*\\).*/\\1/p' "
         "\"$model\")\" "
         ";;\n        esac\n      done\n      COMPREPLY=($(compgen -W \"$runs\" -- \"$word\")); return ;;\n";
}

// Those of the models that stand on the line.
std::string shell_parameters() {
  return "_raak_parameters() {\n  local model\n  for model in \"$@\"; do\n    case \"$model\" in\n" +
         parameters_by_model("      ", "$model") + "    esac\n  done\n}\n" +
         "_raak_choices() {\n  local model name=\"$1\"\n  shift\n  for model in \"$@\"; do\n    case \"$model.$name\" "
         "in\n" +
         choices_by_model("      ") + "    esac\n  done\n}\n";
}

std::string bash(const ProgramInfo& program) {
  std::string text = "# bash completion of raak: source <(raak completion bash)\n" + shell_parameters() +
                     "_raak() {\n"
                     "  local word=\"${COMP_WORDS[COMP_CWORD]}\" before=\"${COMP_WORDS[COMP_CWORD-1]}\" words=\"\"\n"
                     // Bash makes words of NAME=VALUE.
                     "  local name=\"\"\n"
                     "  if [ \"$word\" = \"=\" ] && ((COMP_CWORD > 2)); then\n"
                     "    name=\"$before\" before=\"${COMP_WORDS[COMP_CWORD-2]}\" word=\"\"\n"
                     "  elif [ \"$before\" = \"=\" ] && ((COMP_CWORD > 3)); then\n"
                     "    name=\"${COMP_WORDS[COMP_CWORD-2]}\" before=\"${COMP_WORDS[COMP_CWORD-3]}\"\n"
                     "  elif [ \"$before\" = --set ] && [[ \"$word\" == *=* ]]; then\n"
                     "    COMPREPLY=($(compgen -P \"${word%%=*}=\" -W \"$(_raak_choices \"${word%%=*}\" "
                     "\"${COMP_WORDS[@]:2}\")\" -- \"${word#*=}\")); return\n  fi\n"
                     "  case \"$name\" in\n    \"\") ;;\n    --*) before=\"$name\" ;;\n"
                     "    *) [ \"$before\" = --set ] && COMPREPLY=($(compgen -W \"$(_raak_choices \"$name\" "
                     "\"${COMP_WORDS[@]:2}\")\" -- \"$word\")); return ;;\n  esac\n"
                     "  case \"$before\" in\n    -o|--out|--against) compopt -o default; return ;;\n";
  for (const char* option : {"--method", "--methods", "--form", "--forms", "--format", "--template"}) {
    text +=
        fmt::format("    {}) COMPREPLY=($(compgen -W \"{}\" -- \"$word\")); return ;;\n", option, values_of(option));
  }
  text +=
      "    --set) COMPREPLY=($(compgen -W \"$(_raak_parameters \"${COMP_WORDS[@]:2}\")\" -- \"$word\")); compopt -o "
      "nospace; return ;;\n";
  text += bash_runs() + "  esac\n  if ((COMP_CWORD == 1)); then\n    words=\"" + join(command_names(program), " ") +
          " --help --version -V\"\n  else\n    case \"${COMP_WORDS[1]}\" in\n";
  for (const CommandInfo& command : program.commands) {
    text +=
        fmt::format("      {}) words=\"{} {}\" ;;\n", command.name, words_of(command), join(flags_of(command), " "));
  }
  return text +
         "    esac\n  fi\n  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
         "  ((${#COMPREPLY[@]})) || compopt -o default\n}\ncomplete -F _raak raak\n";
}

// In single quotes; brackets and colons mean something to _arguments.
std::string zsh_text(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '\'') safe += "'\\''";
    else if (c == '[' || c == ']' || c == ':') safe += std::string("\\") + c;
    else safe += c;
  }
  return safe;
}

std::string zsh(const ProgramInfo& program) {
  std::string text =
      "#compdef raak\n# zsh completion of raak: raak completion zsh > a folder of $fpath/_raak\n" + shell_parameters() +
      "_raak_set() {\n  if compset -P '*='; then compadd -- ${=$(_raak_choices ${${IPREFIX%=}##*=} $words)}\n"
      "  else compadd -S '' -- ${=$(_raak_parameters $words)}; fi\n}\n_raak() {\n  local -a "
      "commands\n  commands=(\n";
  for (const CommandInfo& command : program.commands)
    text += fmt::format("    '{}:{}'\n", command.name, zsh_text(command.summary));
  text +=
      "  )\n  if ((CURRENT == 2)); then _describe command commands; return; fi\n  local command=$words[2]\n"
      "  shift words; ((CURRENT--))\n  case $command in\n";
  for (const CommandInfo& command : program.commands) {
    text += fmt::format("    {}) _arguments", command.name);
    for (const OptionInfo& option : command.options) {
      const std::string values = values_of(option.name);
      const std::string action = option.name == "--set"    ? "_raak_set"
                                 : takes_path(option.name) ? "_files"
                                 : values.empty()          ? ""
                                                           : "(" + values + ")";
      if (!option.name.starts_with("--")) text += fmt::format(" '*:{}:{}'", option.name, action);
      else if (option.form.empty()) text += fmt::format(" '{}[{}]'", option.name, zsh_text(option.meaning));
      else
        text += fmt::format(" '*{}[{}]:{}:{}'", option.name, zsh_text(option.meaning), zsh_text(option.form), action);
    }
    text += " ;;\n";
  }
  return text + "  esac\n}\nif [ \"$funcstack[1]\" = _raak ]; then _raak \"$@\"; else compdef _raak raak; fi\n";
}

std::string fish_text(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '\'' || c == '\\') safe += '\\';
    safe += c;
  }
  return safe;
}

std::string fish(const ProgramInfo& program) {
  std::string text =
      "# fish completion of raak: raak completion fish | source\nfunction __raak_parameters\n  for model in "
      "(commandline "
      "-opc)\n    switch $model\n";
  for (const ModelSource& source : problem_catalogue())
    text += fmt::format("      case {}\n        printf '%s\\n' {}\n", source.name, join(whole_settings(source), " "));
  text += fmt::format(
      "      case '*.toml'\n        test -f \"$model\"; and {} \"$model\" 2>/dev/null\n    end\n  end\nend\n",
      parameters_of_file);
  text += "complete -c raak -f\n";
  for (const CommandInfo& command : program.commands) {
    text += fmt::format("complete -c raak -n __fish_use_subcommand -a {} -d '{}'\n", command.name,
                        fish_text(command.summary));
    const std::string here = fmt::format("complete -c raak -n '__fish_seen_subcommand_from {}'", command.name);
    for (const OptionInfo& option : command.options) {
      const std::string values = values_of(option.name);
      const std::string choice = option.name == "--set" ? " -a '(__raak_parameters)'"
                                 : values.empty()       ? ""
                                                        : " -a '" + values + "'";
      if (!option.name.starts_with("--")) {
        if (takes_path(option.name)) text += here + " -F\n";
        else if (!choice.empty()) text += here + choice + "\n";
        continue;
      }
      const std::string wants = option.form.empty() ? "" : takes_path(option.name) ? " -r -F" : " -x" + choice;
      text += fmt::format("{} -l {}{} -d '{}'\n", here, option.name.substr(2), wants, fish_text(option.meaning));
    }
  }
  return text;
}

}  // namespace

std::string completion_script(const std::string& shell, const ProgramInfo& program) {
  if (shell == "bash") return bash(program);
  if (shell == "zsh") return zsh(program);
  if (shell == "fish") return fish(program);
  if (shell.empty()) throw Error(ErrorKind::request, "name a shell: bash, zsh or fish");
  throw Error(ErrorKind::request, unknown_name("shell", shell, {"bash", "zsh", "fish"}));
}

}  // namespace raak::cli
