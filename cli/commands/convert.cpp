// `raak convert`: a model file as JSON and back, or results of an earlier run in another format.
#include "modelfile/text/convert.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "cli/commands/commands.h"
#include "cli/results/results_folder.h"
#include "cli/terminal/terminal.h"
#include "output/folder/folder.h"
#include "output/formats/json.h"
#include "output/tables/result_table.h"

namespace raak::cli {
namespace {

namespace fs = std::filesystem;

// Where the other form goes: by default beside the file, where it replaces nothing.
fs::path target_of(const ConvertOptions& options, const char* ending) {
  if (options.out) {
    if (options.out->empty()) refuse("--out expects the name of a file");
    if (fs::path(*options.out).extension() != ending)
      refuse(fmt::format("--out expects a name that ends in {}, found \"{}\"", ending, *options.out));
    return *options.out;
  }
  fs::path beside = fs::path(options.file).replace_extension(ending);
  std::error_code unreadable;
  if (fs::exists(fs::symlink_status(beside, unreadable)))
    refuse(fmt::format("\"{0}\" exists; to replace it: raak convert {1} --out {0}", beside.string(), options.file));
  return beside;
}

int print_target(const ConvertOptions& options, const fs::path& target) {
  if (options.json) print_data(text_of(Json{{"status", "ok"}, {"from", options.file}, {"file", target.string()}}));
  else print_path(target.string());
  return 0;
}

int convert_model(const ConvertOptions& options, bool from_toml) {
  const std::string text = from_toml ? json_of_toml_file(options.file) : toml_of_json_file(options.file);
  if (options.out == "-") {
    if (options.json) refuse("--json prints where the file is, and --out - makes none");
    print_data(text);
    return 0;
  }
  const fs::path target = target_of(options, from_toml ? ".json" : ".toml");
  write_file(target, text);
  return print_target(options, target);
}

}  // namespace

int convert(const ConvertOptions& options) {
  const fs::path file = options.file;
  if (file.empty()) refuse("name a file: FILE.toml, FILE.json, or the --out folder of an earlier raak run");
  if (file.extension() == ".toml" || file.extension() == ".json")
    return convert_model(options, file.extension() == ".toml");
  std::error_code unreadable;
  if (!fs::is_directory(file, unreadable) && file.extension() != ".npz" && file.extension() != ".csv")
    refuse(fmt::format("expected *.toml, *.json, *.npz, *.csv or a folder of results, found \"{}\"", options.file));
  if (!options.out) refuse("name the file to write with --out: " + table_endings());
  const bool is_folder = fs::is_directory(file, unreadable);
  if (is_folder) complete_folder(file, options.json);
  convert_results(file, *options.out);
  if (is_folder && !options.json) warn_of_lacking_rows(file);
  return print_target(options, *options.out);
}

}  // namespace raak::cli
