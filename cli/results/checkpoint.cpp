#include "cli/results/checkpoint.h"

#include <fmt/format.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <string_view>

#include "base/archive.h"
#include "base/code/machine.h"
#include "base/error.h"
#include "cli/terminal/terminal.h"
#include "modelfile/text/convert.h"
#include "output/folder/file_marks.h"
#include "output/folder/own_name.h"
#include "output/folder/run_files.h"
#include "output/formats/json.h"
#include "output/formats/zip.h"

namespace raak::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view first_line = "raak checkpoint 1\n";
constexpr std::size_t crc_digits = 8;

std::string checksum(std::string_view bytes) {
  return fmt::format("{:08x}", crc32(bytes));
}

void visit_options(Archive& archive, RunOptions& options) {
  ModelOptions& model = options.model;
  archive(model.model, model.run, model.form, model.settings, model.trust, model.guess);
  archive(options.method, options.until, options.rtol, options.atol, options.first_step, options.fixed_step);
  archive(options.every, options.at, options.frames, options.plot, options.columns, options.format);
  archive(options.against, options.out, options.trace, options.hdf5, options.checkpoint, options.print, options.printed,
          options.trace_matrices);
  archive(options.partition_threshold);
}

void visit(Archive& archive, Checkpoint& checkpoint) {
  archive(checkpoint.directory, checkpoint.model);
  visit_options(archive, checkpoint.options);
  archive(checkpoint.options.command, checkpoint.files, checkpoint.run);
}

// A model that comes through a pipe can be read only once.
std::string checksum_of_model(const std::string& name) {
  std::error_code unreadable;
  if (!fs::is_regular_file(name, unreadable)) return "";
  return checksum(contents_of_model_file(name));
}

void refuse_without_checkpoint(const fs::path& folder) {
  std::error_code unreadable;
  if (!fs::is_directory(folder, unreadable))
    refuse(fmt::format("\"{}\" is no folder; name the --out folder of a raak run with --checkpoint", folder.string()));
  const Json document = parsed_json(bytes_in(folder / "run.json"));
  if (document.is_object() && word_of(document, "status") == "ok")
    refuse(fmt::format("the run in \"{}\" has come to its end: there is nothing to resume", folder.string()));
  refuse(fmt::format("\"{}\" has no checkpoint: only a run with --checkpoint SECONDS leaves one", folder.string()));
}

}  // namespace

std::string Checkpoint::bytes() const {
  Archive archive;
  Checkpoint copy = *this;
  archive(copy.program, copy.executable, copy.avx2);
  visit(archive, copy);
  return std::string(first_line) + checksum(archive.bytes()) + archive.bytes();
}

Checkpoint Checkpoint::read(const fs::path& folder) {
  const fs::path file = folder / RunFiles::checkpoint_name;
  std::error_code absent;
  if (!fs::exists(file, absent)) refuse_without_checkpoint(folder);
  const std::string text = bytes_in(file);
  const std::size_t start = first_line.size() + crc_digits;
  if (text.size() < start || !text.starts_with(first_line) ||
      text.substr(first_line.size(), crc_digits) != checksum(std::string_view(text).substr(start)))
    refuse(fmt::format("\"{}\" is damaged or no checkpoint of raak: run the model again", file.string()));
  Checkpoint found;
  Archive archive(text.substr(start));
  archive(found.program, found.executable, found.avx2);
  const Checkpoint own = begin_checkpoint({});
  if (found.program != own.program || found.executable != own.executable)
    refuse(
        fmt::format("\"{}\" was written by {}, and this is another program{}: resume it with the one that wrote it, "
                    "or run the model again",
                    file.string(), found.program,
                    found.program == own.program ? " of the same version" : " (" + own.program + ")"));
  if (found.avx2 != own.avx2)
    refuse(
        fmt::format("\"{}\" was written on a machine {} AVX2, which rounds differently: resume it there, or run the "
                    "model again",
                    file.string(), found.avx2 ? "with" : "without"));
  visit(archive, found);
  return found;
}

Checkpoint begin_checkpoint(const RunOptions& options) {
  Checkpoint made;
  made.program = program_name();
  made.executable = checksum(bytes_in("/proc/self/exe"));
  made.avx2 = machine_has_avx2;
  std::error_code gone;
  made.directory = fs::current_path(gone).string();
  made.options = options;
  if (!options.model.model.empty()) made.model = checksum_of_model(options.model.model);
  return made;
}

void require_same_model(const Checkpoint& checkpoint) {
  const std::string& name = checkpoint.options.model.model;
  if (checksum_of_model(name) != checkpoint.model)
    refuse(
        fmt::format("\"{}\" or a file that it includes has changed since the checkpoint was written: restore it, or "
                    "run the model anew",
                    name));
}

RunOptions resumed_options(const RunOptions& given, const Checkpoint& checkpoint) {
  RunOptions others = given, none;
  others.checkpoint.reset();
  Archive of_given, of_none;
  visit_options(of_given, others);
  visit_options(of_none, none);
  if (of_given.bytes() != of_none.bytes())
    refuse(
        "--resume goes on with the model and the options of the interrupted run: beside it only --checkpoint, "
        "--quiet and --json may be given");
  RunOptions options = checkpoint.options;
  options.out = fs::absolute(*given.resume).string();
  options.quiet = given.quiet;
  options.json = given.json;
  if (given.checkpoint) options.checkpoint = given.checkpoint;
  std::error_code gone;
  fs::current_path(checkpoint.directory, gone);
  if (gone)
    refuse(fmt::format("the run was started in \"{}\", which is gone: {}", checkpoint.directory, gone.message()));
  return options;
}

}  // namespace raak::cli
