// The options of every command, as text: the commands read the values, so that every message about them is ours.
#pragma once
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands/commands.h"
#include "cli/request/program_info.h"

namespace CLI {  // NOLINT(readability-identifier-naming): of CLI11, whose header is slow to compile
class App;
}

namespace raak::cli {

struct Options {
  ListOptions list;
  RunOptions run;
  ReportOptions report;
  CompareOptions compare;
  CheckOptions check;
  BenchOptions bench;
  AssembleOptions assemble;
  ExplainOptions explain;
  ModesOptions modes;
  NewOptions new_file;
  ConvertOptions convert;
  SweepOptions sweep;
  std::string shell;
  bool completion_json = false, man_json = false;
};

using Commands = std::vector<std::pair<CLI::App*, std::function<int()>>>;
// Declares all commands with their help; each with what it does once its options are filled in. `describe`: the whole,
// for completion and manual.
Commands add_commands(CLI::App& app, Options& options, const std::function<ProgramInfo()>& describe);

}  // namespace raak::cli
