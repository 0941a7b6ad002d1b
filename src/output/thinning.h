// Keeps the report of a huge model small enough to open: fewer frames, then fewer series, then no drawing, and says so.
// The files beside the report keep everything.
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "output/formats/json.h"
#include "output/recording.h"

namespace raak {

inline constexpr std::size_t most_numbers_shown = 1'000'000;  // of the frames: 5 MB of text

// Changes nothing where everything fits. What was omitted is listed in about["left_out"], a list of sentences.
void thin_out(Json& document, Json& about, Recording& recording);

// So many of the columns, in their order: t, then outputs, which someone asked for, then positions, velocities,
// multipliers and accelerations.
std::vector<std::string> most_wanted_columns(const std::vector<std::string>& columns, std::size_t most);
// Keeps these columns of the frames, with their units and bands. Those that the recording has, in its order; energy
// accounts must be gone.
void choose_columns(Recording& recording, const std::vector<std::string>& columns);

}  // namespace raak
