#include "study/sweep/sweep_files.h"

#include <nlohmann/json.hpp>

#include "output/folder/folder.h"
#include "study/sweep/sweep_page.h"
#include "study/sweep/sweep_summary.h"

namespace raak {
namespace {

constexpr std::uint64_t most_rows_by_default = 100'000;  // of cases.csv, which a person opens

}  // namespace

std::filesystem::path page_path(const SweepFolder& folder) {
  return folder.path() / "sweep.html";
}

Json write_sweep_files(const SweepResults& results, const SweepFolder& folder, bool exact,
                       const std::atomic<bool>* stop) {
  Json summary = summary_document(results);
  write_file(folder.path() / "summary.json", text_of(summary));
  if (results.cases() <= most_rows_by_default) write_sweep_table(results, folder.path() / "cases.csv");
  if (const std::string page = sweep_page(results, summary, exact, stop); !page.empty())
    write_file(page_path(folder), page);
  folder.remove_leftovers();
  return summary;
}

}  // namespace raak
