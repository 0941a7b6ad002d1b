// How the options of a command are declared: all values are text, which the command reads.
#pragma once
#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands/commands.h"

namespace raak::cli {

inline void add_repeatable(CLI::App* command, const std::string& name, std::vector<std::string>& values,
                           const std::string& meaning, const std::string& form) {
  command->add_option(name, values, meaning)->type_name(form)->allow_extra_args(false);
}

inline void add_text(CLI::App* command, const std::string& name, std::optional<std::string>& value,
                     const std::string& meaning, const std::string& form) {
  command->add_option(name, value, meaning)->type_name(form);
}

inline void add_switch(CLI::App* command, const std::string& name, bool& on, const std::string& meaning) {
  command->add_flag(name, on, meaning)->disable_flag_override();  // --json=5 is a mistake
}

inline void add_json(CLI::App* command, bool& json) {
  add_switch(command, "--json", json, "Print one JSON document");
}

// Of a command whose table is in a file of its own.
CLI::App* add_sweep(CLI::App& app, SweepOptions& options);

}  // namespace raak::cli
