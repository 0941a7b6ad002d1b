// The commands and options of the program as plain data: help, completion and the manual page are all made from them.
#pragma once
#include <string>
#include <vector>

namespace raak::cli {

struct OptionInfo {
  std::string name;  // "--rtol", or "MODEL" for a word without a name
  std::string form;  // of its value, "X"; empty: a flag
  std::string meaning;
};

struct CommandInfo {
  std::string name, summary;
  std::vector<OptionInfo> options;
  std::string footer;  // examples
};

struct ProgramInfo {
  std::string summary, footer;
  std::vector<CommandInfo> commands;
};

// The script for "bash", "zsh" or "fish"; refuses another shell.
std::string completion_script(const std::string& shell, const ProgramInfo& program);

// The manual page raak(1) in roff.
std::string manual_page(const ProgramInfo& program);

}  // namespace raak::cli
