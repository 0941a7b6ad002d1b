#include "cli/request/options.h"

#include <nlohmann/json.hpp>

#include "base/text/text.h"
#include "cli/request/declare_option.h"
#include "cli/terminal/terminal.h"
#include "output/catalogue.h"

namespace raak::cli {
namespace {

void add_model(CLI::App* command, ModelOptions& model) {
  command->add_option("MODEL", model.model, "A built-in model (see raak list models) or a model file")->type_name("");
  add_text(command, "--run", model.run, "Run to use [first]", "NAME");
  add_repeatable(command, "--set", model.settings, "Set a parameter of the model; repeatable", "NAME=VALUE");
  add_text(command, "--form", model.form,
           "Level of the constraints: index1, index2, index3, ggl; index1-plain: no projection [the run's]", "FORM");
  add_repeatable(command, "--trust", model.trust,
                 "A fixed start value: a coordinate, or q.NAME or v.NAME; repeatable. Replaces the model's list",
                 "NAME[=VALUE]");
  add_repeatable(command, "--guess", model.guess, "An initial guess, which selects the branch; repeatable",
                 "NAME=VALUE");
}

CLI::App* add_list(CLI::App& app, ListOptions& options) {
  CLI::App* command = app.add_subcommand("list", "List models, methods, joints, forces, formats or templates");
  command
      ->add_option("TOPIC", options.topic, "models, methods, joints, forces, formats or templates [a summary of all]")
      ->type_name("");
  add_json(command, options.json);
  command->footer("Example:\n  raak list models");
  return command;
}

CLI::App* add_run(CLI::App& app, RunOptions& options) {
  CLI::App* command = app.add_subcommand("run", "Simulate a model and print a summary");
  add_model(command, options.model);
  add_text(command, "--until", options.until, "End time in s; before the start: backwards [the run's]", "T");
  command->add_option("--method", options.method, "See raak list methods [the run's, or auto]")->type_name("NAME");
  add_text(command, "--rtol", options.rtol, "Relative tolerance, or q=..,v=..,lambda=.. [the run's]", "X");
  add_text(command, "--atol", options.atol,
           "Absolute tolerance, or q=..,v=..,lambda=.., by unit m=..,m/s=..,rad=..,rad/s=.. [rtol]", "X");
  add_text(command, "--h0", options.first_step, "First step in s, or rtol, 0.01*rtol [chosen by the method]", "H");
  add_text(command, "--step", options.fixed_step, "Fixed step size in s, no error control [adaptive]", "H");
  add_text(command, "--every", options.every, "Write a row every DT s [every step]", "DT");
  add_text(command, "--at", options.at, "Write rows at these times", "T1,T2,..");
  add_text(command, "--frames", options.frames, "Frames of the report's animation [500]", "N");
  add_text(command, "--plot", options.plot,
           "Also draw these over time as SVG and PNG: columns, or q, v, a, lambda, energy, violation. A+B: in one "
           "picture, mod(A): angles modulo 2 pi, each(A): a panel for each, full(A): all of what diverges",
           "A,B,..");
  add_text(command, "--columns", options.columns,
           "Columns of the tables after t, in this order: names, or q, v, a, lambda, energy, violation [all]",
           "A,B,..");
  add_text(command, "--format", options.format,
           "Files for the rows in DIR: " + join(table_format_names()) + "; see raak list formats [csv,npz]", "A,B,..");
  add_text(command, "--against", options.against,
           "Draw a table of known values as points in the report: t,NAME,NAME,.. or t,name,value", "FILE.csv");
  add_text(command, "--print", options.print,
           "Print these at each row while the run goes on, named as for --plot; with svd also columns of --trace",
           "A,B,..");
  add_text(command, "-o,--out", options.out, "Folder for report.html, result.csv, result.npz and run.json", "DIR");
  add_text(command, "--checkpoint", options.checkpoint,
           "Save the state of the run to DIR every SECONDS of wall-clock time, and on Ctrl-C (needs --out)", "SECONDS");
  add_text(command, "--resume", options.resume,
           "Continue the interrupted run in DIR from its last checkpoint, instead of MODEL", "DIR");
  add_text(command, "--case", options.sweep_case, "Repeat case I of the sweep in DIR, instead of MODEL", "DIR:I");
  add_switch(command, "--trace", options.trace,
             "Also write trace.csv, independent coordinates, their basis and singular values, and partitions.csv, when "
             "and why the basis was renewed (methods svd and svd-dop853)");
  add_switch(command, "--trace-matrices", options.trace_matrices, "As --trace, with the matrices U, D and V_D");
  add_text(command, "--partition-threshold", options.partition_threshold,
           "Share of the velocity outside the basis above which svd and svd-dop853 renew it [0.05]", "X");
  add_switch(command, "--printed", options.printed,
             "Print every row of the document's table beside the computed one (pendulum --run printed)");
  add_switch(command, "--hdf5", options.hdf5, "Also write result.h5, as --format csv,npz,h5");
  add_switch(command, "--open", options.open, "Open the report in a browser when the run has ended (needs --out)");
  add_switch(command, "--quiet", options.quiet, "No summary");
  add_json(command, options.json);
  command->footer(
      "Examples:\n"
      "  raak run andrews --rtol 1e-10 --out results --open\n"
      "  raak run andrews-iftomm --plot F.x,energy.balance --out results\n"
      "  raak run andrews --plot 'each(mod(q))' --out results\n"
      "  raak run slider-crank --set beam=nonlinear --every 1e-3 --out results\n"
      "  raak run pendulum --method svd --until 5 --trace --out results\n"
      "  raak run pendulum --run printed --printed\n"
      "  raak run pendulum --print phi,v.phi,energy.kinetic --every 0.1\n"
      "  raak run andrews --until 1000 --checkpoint 60 -o results\n"
      "  raak run --resume results");
  return command;
}

CLI::App* add_report(CLI::App& app, ReportOptions& options) {
  CLI::App* command = app.add_subcommand("report", "Regenerate report.html from a results folder");
  command->add_option("DIR", options.folder, "The --out folder of an earlier raak run")->type_name("");
  add_text(command, "-o,--out", options.out, "File to write [DIR/report.html]", "FILE");
  add_switch(command, "--open", options.open, "Open the report in a browser");
  add_json(command, options.json);
  command->footer("Example:\n  raak report results --out andrews.html --open");
  return command;
}

CLI::App* add_compare(CLI::App& app, CompareOptions& options) {
  CLI::App* command = app.add_subcommand("compare", "Overlay the results of several runs and list their differences");
  command->add_option("DIR", options.folders, "The --out folders of earlier raak runs, two or more")->type_name("");
  add_text(command, "--plot", options.plot,
           "Also draw these with all runs as SVG and PNG beside the page: as raak run --plot", "A,B,..");
  add_text(command, "-o,--out", options.out, "Page to write, or a folder for it [compare.html]", "FILE");
  add_json(command, options.json);
  command->footer(
      "Example:\n"
      "  raak run slider-crank --out linear\n"
      "  raak run slider-crank --set beam=nonlinear --out nonlinear\n"
      "  raak compare linear nonlinear --plot q3,q4");
  return command;
}

CLI::App* add_check(CLI::App& app, CheckOptions& options) {
  CLI::App* command = app.add_subcommand("check", "Count correct digits against reference solutions");
  command->add_option("MODEL", options.models, "Built-in models, model files, folders of them [all]")->type_name("");
  add_text(command, "--run", options.run, "Check this run only [every run with a reference]", "NAME");
  add_text(command, "--form", options.form, "Level of the constraints [the run's]", "FORM");
  add_text(command, "--method", options.method, "Integration method [the run's, or auto]", "NAME");
  add_text(command, "--rtol", options.rtol, "Relative tolerance [the run's, at most 1e-10]", "X");
  add_text(command, "--atol", options.atol, "Absolute tolerance [rtol]", "X");
  add_repeatable(command, "--set", options.settings, "Set a parameter of the models; repeatable", "NAME=VALUE");
  add_text(command, "--against", options.against,
           "Compare one model over time with a table: t,NAME,NAME,.. or t,name,value, such as a result.csv",
           "FILE.csv");
  add_text(command, "--tolerance", options.tolerance,
           "With --against: the largest |value - reference| / max(1, |reference|) that passes [none]", "X");
  add_json(command, options.json);
  command->footer(
      "Examples:\n"
      "  raak check andrews car-axis --method svd\n"
      "  raak check andrews-iftomm --against history.csv --tolerance 1e-6\n"
      "Exit code 4: a check is not met.");
  return command;
}

CLI::App* add_bench(CLI::App& app, BenchOptions& options) {
  CLI::App* command = app.add_subcommand("bench", "Measure what accuracy costs: digits against CPU time");
  command->add_option("MODEL", options.models, "Built-in models, model files, folders of them [all]")->type_name("");
  add_text(command, "--run", options.run, "Run to use [first]", "NAME");
  add_text(command, "--methods", options.methods, "Integration methods [all]", "A,B,..");
  add_text(command, "--forms", options.forms, "Levels of the constraints, or all [the run's or the method's own]",
           "A,B,..");
  add_text(command, "--rtol", options.rtol, "Tolerances from A to B, N points a decade [1e-4:1e-10:2]", "A:B[:N]");
  add_text(command, "--h0", options.first_step, "First step in s, or rtol, 0.01*rtol [chosen by the method]", "H");
  add_switch(command, "--as-printed", options.as_printed,
             "Tolerances, form and first step as in the document of the model (andrews, car-axis, slider-crank)");
  add_text(command, "--drift", options.drift,
           "The cheapest run of each method whose energy drift stays below J at this and every tighter tolerance", "J");
  add_repeatable(command, "--set", options.settings, "Set a parameter of the models; repeatable", "NAME=VALUE");
  add_switch(command, "--peers", options.peers, "Also run IDA and ARKODE of SUNDIALS (needs raak_peers beside raak)");
  add_text(command, "-o,--out", options.out, "Folder for bench.html, tables and diagrams", "DIR");
  add_json(command, options.json);
  command->footer(
      "Examples:\n"
      "  raak bench andrews --methods dop853,svd --rtol 1e-4:1e-12:4\n"
      "  raak bench andrews-iftomm --drift 1e-5 --out results\n"
      "  raak bench slider-crank --as-printed --out results\n"
      "  raak bench --out results");
  return command;
}

CLI::App* add_assemble(CLI::App& app, AssembleOptions& options) {
  CLI::App* command = app.add_subcommand("assemble", "Find a consistent start; show mobility and rank");
  add_model(command, options.model);
  add_json(command, options.json);
  command->footer("Example:\n  raak assemble andrews-iftomm --trust beta=-0.05");
  return command;
}

CLI::App* add_explain(CLI::App& app, ExplainOptions& options) {
  CLI::App* command = app.add_subcommand("explain", "Diagnose a model: anything unusual, what goes wrong, what to try");
  add_model(command, options.model);
  add_text(command, "--until", options.until, "End time in s [the run's]", "T");
  command->add_option("--method", options.method, "Integration method [auto]")->type_name("NAME");
  add_text(command, "--rtol", options.rtol, "Relative tolerance [the run's]", "X");
  add_json(command, options.json);
  command->footer("Example:\n  raak explain car-axis --set h=1.2");
  return command;
}

CLI::App* add_modes(CLI::App& app, ModesOptions& options) {
  CLI::App* command = app.add_subcommand("modes", "Eigenfrequencies, damping ratios and mode shapes of a mechanism");
  add_model(command, options.model);
  add_text(command, "--at", options.at,
           "About the configuration at T, in s, rates zero [about the static equilibrium that the start comes to]",
           "T");
  add_text(command, "--count", options.count, "Number of modes, lowest frequencies first [20]", "N");
  add_text(command, "-o,--out", options.out, "Folder for modes.html, with the mechanism swinging, and modes.json",
           "DIR");
  add_json(command, options.json);
  command->footer(
      "Examples:\n"
      "  raak modes pendulum\n"
      "  raak modes slider-crank --out results\n"
      "  raak modes car-axis --at 0.5\n"
      "Drivers are held: at the start, or with --at at T.");
  return command;
}

CLI::App* add_new(CLI::App& app, NewOptions& options) {
  CLI::App* command = app.add_subcommand("new", "Start a commented model file from a template");
  command->add_option("NAME", options.name, "A template (see raak list templates), or the file's own name")
      ->type_name("");
  add_text(command, "--template", options.from, "The template, where NAME is the file's own name", "NAME");
  add_text(command, "--count", options.count, "Of n-four-bar, chain and arm: how many linkages or rods [2, 10, 7]",
           "N");
  add_text(command, "-o,--out", options.out, "File to write, or a folder for it [NAME.toml]", "FILE");
  add_json(command, options.json);
  command->footer(
      "Examples:\n"
      "  raak new four-bar\n"
      "  raak new press --template slider-crank\n"
      "  raak new chain --count 100 --out long.toml\n"
      "The file runs and passes raak check as it is. What exists is never overwritten.");
  return command;
}

CLI::App* add_convert(CLI::App& app, ConvertOptions& options) {
  CLI::App* command =
      app.add_subcommand("convert", "Turn a model file into JSON and back, or results into CSV, NumPy, HDF5 or JSON");
  command->add_option("FILE", options.file, "A model file (*.toml), one as JSON (*.json), or a folder of results")
      ->type_name("");
  add_text(command, "-o,--out", options.out, "File to write, - for standard output [FILE with the other ending]",
           "FILE");
  add_json(command, options.json);
  command->footer(
      "Examples:\n"
      "  raak convert four-bar.toml\n"
      "  raak convert four-bar.json --out again.toml\n"
      "  raak convert results --out results.h5\n"
      "Keys, their order, values and types survive the round trip: the mechanism is the same to the bit.\n"
      "Comments do not: JSON has none. Includes and files of references stay names, relative to the file.");
  return command;
}

CLI::App* add_completion(CLI::App& app, std::string& shell, bool& json) {
  CLI::App* command = app.add_subcommand("completion", "Generate shell completions");
  command->add_option("SHELL", shell, "bash, zsh or fish")->type_name("");
  add_json(command, json);
  command->footer("Example:\n  source <(raak completion bash)");
  return command;
}

CLI::App* add_man(CLI::App& app, bool& json) {
  CLI::App* command = app.add_subcommand("man", "Print the manual page");
  add_json(command, json);
  command->footer("Example:\n  raak man | man -l -");
  return command;
}

int show(const std::string& text, const char* key, bool json) {
  print_data(json ? text_of(Json{{"status", "ok"}, {key, text}}) : text);
  return 0;
}

}  // namespace

Commands add_commands(CLI::App& app, Options& options, const std::function<ProgramInfo()>& describe) {
  return {{add_list(app, options.list), [&options] { return list(options.list); }},
          {add_run(app, options.run), [&options] { return run(options.run); }},
          {add_report(app, options.report), [&options] { return report(options.report); }},
          {add_compare(app, options.compare), [&options] { return compare(options.compare); }},
          {add_check(app, options.check), [&options] { return check(options.check); }},
          {add_bench(app, options.bench), [&options] { return bench(options.bench); }},
          {add_assemble(app, options.assemble), [&options] { return assemble(options.assemble); }},
          {add_explain(app, options.explain), [&options] { return explain(options.explain); }},
          {add_modes(app, options.modes), [&options] { return modes(options.modes); }},
          {add_new(app, options.new_file), [&options] { return new_file(options.new_file); }},
          {add_convert(app, options.convert), [&options] { return convert(options.convert); }},
          {add_sweep(app, options.sweep), [&options] { return sweep(options.sweep); }},
          {add_completion(app, options.shell, options.completion_json),
           [&options, describe] {
             return show(completion_script(options.shell, describe()), "script", options.completion_json);
           }},
          {add_man(app, options.man_json),
           [&options, describe] { return show(manual_page(describe()), "page", options.man_json); }}};
}

}  // namespace raak::cli
