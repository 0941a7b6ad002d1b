// `raak report`: writes the report of an earlier run again, from the files in its folder.
#include "output/report.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "cli/commands/commands.h"
#include "cli/results/results_folder.h"
#include "cli/terminal/open_file.h"
#include "cli/terminal/terminal.h"
#include "output/folder/folder.h"

namespace raak::cli {

int report(const ReportOptions& options) {
  if (options.folder.empty()) throw Error(ErrorKind::request, "name the --out folder of an earlier raak run");
  complete_folder(options.folder, options.json);
  const std::string page = report_of_folder(options.folder);
  if (!options.json) {
    warn_of_lacking_rows(options.folder);
    warn_of_foreign_files(options.folder);
  }
  const std::filesystem::path usual = std::filesystem::path(options.folder) / "report.html";
  const std::filesystem::path file = options.out ? std::filesystem::path(*options.out) : usual;
  write_file(file, page);
  if (options.json) print_data(text_of(Json{{"status", "ok"}, {"report", file.string()}, {"bytes", page.size()}}));
  else print_path(file.string());
  if (options.open) open_file(file.string());
  return 0;
}

}  // namespace raak::cli
