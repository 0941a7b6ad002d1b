// The page of the modes of a model: frequencies, and the mechanism swinging in each mode, in one HTML file that needs
// nothing else. The page itself is written in web/.
#pragma once
#include <string>

#include "output/formats/json.h"
#include "study/modes/modes.h"

namespace raak {

// `document`: modes_document(). `about`: which configuration, in words. Empty in a program that was built without the
// web part.
std::string modes_page(Json document, const std::string& about, const Model& model, const Modes& modes);

}  // namespace raak
