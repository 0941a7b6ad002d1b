// Diagrams of results over time for `raak run --plot`: what an entry of it asks for is one picture (plot_request.h).
#pragma once
#include <string>

#include "output/plots/picture.h"
#include "output/plots/plot_request.h"
#include "output/recording.h"

namespace raak {

// Whether there is anything to draw: at least one finite number.
bool has_values(const PlotRequest& request, const Recording& recording);

Picture time_plot(const std::string& name, const std::string& model, const Recording& recording);

// What the files of a plot are called, without their ending: `mod-q` of `mod(q)`.
std::string plot_file_name(const std::string& name);

}  // namespace raak
