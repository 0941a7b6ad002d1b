// The account of a run that a person reads.
#pragma once
#include <cstddef>
#include <string>

#include "kinematics/model.h"
#include "output/formats/json.h"
#include "run/integrate.h"

namespace raak {

// The first line of what is printed of a model: `name: title`.
std::string heading(const std::string& name, const std::string& title);

// Fits one screen of 24 lines and 80 columns, of which `lines_beside` are taken by warnings and such.
std::string summarize(const Model& model, const RunRecord& record, double until, const Result& result,
                      std::size_t lines_beside);

// Lines that a text takes on a screen of 80 columns.
std::size_t screen_lines_of(const std::string& text);

}  // namespace raak
