// An explanation as the document of `raak explain --json` and in words.
#pragma once
#include <string>

#include "output/formats/json.h"
#include "study/explain/explain.h"

namespace raak {

// `model`, `run`: their names.
Json explanation_document(const std::string& model, const std::string& run, const ConstrainedSystem& system,
                          const Explanation& found);
std::string text_of(const Explanation& found, const ConstrainedSystem& system);

}  // namespace raak
