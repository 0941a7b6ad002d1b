#include "output/report.h"

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "output/folder/stored_run.h"
#include "output/page_data.h"
#include "output/thinning.h"

namespace raak {

std::string report_page(Json document, Json about, Recording recording) {
  document.erase("files");  // of the folder, which a page need not have
  thin_out(document, about, recording);
  return page_with({{"run", document},
                    {"about", about},
                    {"frames", frames_document(recording)},
                    {"bands", bands_document(recording.bands)},
                    {"steps", steps_document(recording.steps)}});
}

std::string report_of_folder(const std::filesystem::path& folder) {
  require_page();
  StoredRun run = read_stored_run(folder);
  return report_page(std::move(run.document), std::move(run.about), std::move(run.recording));
}

}  // namespace raak
