// Modes as a JSON document.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "output/formats/json.h"
#include "study/modes/modes.h"

namespace raak {

// `program`: with its version. `name` and `title`: of the model.
Json modes_document(const std::string& program, const std::string& name, const std::string& title, const Model& model,
                    const Modes& modes);

}  // namespace raak
