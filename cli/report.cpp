// `raak report`: writes the report of an earlier run again, from the files in its folder.
#include "output/report.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/terminal.h"
#include "output/file_marks.h"
#include "output/folder.h"

namespace raak::cli {

int report(const ReportOptions& options) {
  if (options.folder.empty()) throw Error(ErrorKind::request, "name the --out folder of an earlier raak run");
  const std::string page = report_of_folder(options.folder);
  for (const std::string& name : foreign_files(options.folder, read_run_document(options.folder)))
    if (name != "report.html" && !options.json)
      complain(
          fmt::format("warning: \"{}\" is not the file that run.json tells of: it is of another run, or was changed",
                      (std::filesystem::path(options.folder) / name).string()));
  const std::filesystem::path usual = std::filesystem::path(options.folder) / "report.html";
  const std::filesystem::path file = options.out ? std::filesystem::path(*options.out) : usual;
  write_file(file, page);
  if (options.json) print(text_of(Json{{"status", "ok"}, {"report", file.string()}, {"bytes", page.size()}}));
  else print(file.string() + "\n");
  return 0;
}

}  // namespace raak::cli
