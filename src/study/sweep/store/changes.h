// What is different between the sweep of a folder and that of a plan.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "output/formats/json.h"
#include "study/sweep/store/inputs.h"

namespace raak {

// In the words of the plan; empty: nothing that matters to the rows. `before` and `now`: passports (sweep_folder.h).
std::string changes_of(const Json& before, const Json& now, const std::filesystem::path& folder,
                       const std::vector<Inputs::File>& files);

}  // namespace raak
