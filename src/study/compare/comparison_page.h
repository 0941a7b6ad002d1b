// A comparison as a document and as a page with the runs overlaid.
#pragma once
#include <string>
#include <vector>

#include "output/formats/json.h"
#include "output/plots/picture.h"
#include "study/compare/comparison.h"

namespace raak {

// `labels`: what the runs are called.
Json comparison_document(const Comparison& comparison, const std::vector<StoredRun>& runs,
                         const std::vector<std::string>& labels);

// What would make the page too large is left out, and the document says so under "left_out".
std::string comparison_page(Json document, const Comparison& comparison, const std::vector<StoredRun>& runs);

// What an entry of --plot asks for (plot_request.h), a panel for each quantity with a curve for each run.
Picture comparison_plot(const std::string& name, const Comparison& comparison, const std::vector<StoredRun>& runs,
                        const std::vector<std::string>& labels);

}  // namespace raak
