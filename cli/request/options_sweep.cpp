// The options of `raak sweep`.
#include "cli/request/declare_option.h"

namespace raak::cli {

CLI::App* add_sweep(CLI::App& app, SweepOptions& options) {
  CLI::App* command =
      app.add_subcommand("sweep", "Run a model many times with varied numbers, and sum up what is kept");
  command->add_option("PLAN", options.plan, "A plan: what varies, how, and what is kept (docs/sweeps.md)")
      ->type_name("");
  add_text(command, "-o,--out", options.out,
           "Folder for the results; with --merge a table: *.csv, *.npz, *.h5, *.json [the name of the plan]", "DIR");
  add_text(command, "--threads", options.threads, "Threads [one for each processor]", "N");
  add_switch(command, "--resume", options.resume, "Go on with what the folder lacks");
  add_text(command, "--shard", options.shard,
           "The part I of N of the blocks, counted from 1; shards may share a folder", "I/N");
  add_switch(command, "--exact", options.exact,
             "Build the model anew for each case, to the bit as raak run --set runs it");
  add_text(command, "--merge", options.merge, "Sum up a folder whose blocks are all there, instead of PLAN", "DIR");
  add_json(command, options.json);
  command->footer(
      "Examples:\n"
      "  raak sweep tolerances.toml --out results\n"
      "  raak sweep tolerances.toml --out results --resume\n"
      "  raak sweep tolerances.toml --out shared --shard 2/8\n"
      "  raak sweep --merge shared --out cases.npz\n"
      "  raak run --case results:17 --out case-17");
  return command;
}

}  // namespace raak::cli
