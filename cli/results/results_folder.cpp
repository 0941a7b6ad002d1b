#include "cli/results/results_folder.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/terminal/terminal.h"
#include "output/folder/file_marks.h"
#include "output/folder/naming.h"

namespace raak::cli {

void complete_folder(const std::filesystem::path& folder, bool quiet) {
  if (complete_naming(folder) && !quiet)
    complain(fmt::format("note: the last run into \"{}\" was stopped while it named its files; this is completed now",
                         folder.string()));
}

void warn_of_lacking_rows(const std::filesystem::path& folder) {
  const Json document = read_run_document(folder);
  if (!document.contains("missing") || !document.at("missing").is_object()) return;
  const std::string file = rows_file(folder, document), what = word_of(document.at("missing"), file.c_str());
  if (what.empty()) return;
  complain(fmt::format(
      "warning: \"{}\" lacks {}{}", (folder / file).string(), what,
      file == "result.npz" ? fmt::format(". All rows that there are: \"{}\"", (folder / "result.csv").string()) : ""));
}

void warn_of_foreign_files(const std::filesystem::path& folder) {
  for (const std::string& name : foreign_files(folder, read_run_document(folder)))
    if (name != "report.html")
      complain(
          fmt::format("warning: \"{}\" is not a file of the run that run.json describes: it is of another run, or was "
                      "changed",
                      (folder / name).string()));
}

}  // namespace raak::cli
