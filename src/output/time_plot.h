// Diagrams of results over time for `raak run --plot`: one quantity, or one kind of quantities, a picture.
#pragma once
#include <string>
#include <vector>

#include "output/picture.h"
#include "output/recording.h"

namespace raak {

// Every name that can be plotted: the columns of result.csv without t, then kinds: q, v, a, lambda, energy.
std::vector<std::string> plot_names(const std::vector<std::string>& columns);

// The columns that a name stands for; a bare coordinate stands for its position. Refuses an unknown name with the
// nearest.
std::vector<std::string> plotted_columns(const std::string& name, const std::vector<std::string>& columns);

// Whether there is anything to draw: at least one finite number.
bool has_values(const std::string& name, const Recording& recording);

Picture time_plot(const std::string& name, const std::string& model, const Recording& recording);

// What the files of a plot are called, without their ending.
std::string plot_file_name(const std::string& name);

}  // namespace raak
