// The report of a run: one HTML file that needs nothing else, with the mechanism moving, plots, and all that is needed
// to repeat the run. The page itself is written in web/ and embedded at build time.
#pragma once
#include <filesystem>
#include <string>

#include "output/formats/json.h"
#include "output/recording.h"

namespace raak {

// `document`: that of run.json. `about`: columns, drawing, parameters and references, as in result.npz. What would make
// the page too large is left out, and the page says so (thinning.h).
std::string report_page(Json document, Json about, Recording recording);

// The page for the results in a folder. Throws a request error that says what is missing, damaged or does not belong.
std::string report_of_folder(const std::filesystem::path& folder);

}  // namespace raak
