// A model file as a model: what `raak run x.toml` runs.
#pragma once
#include <string>

#include "system/model.h"

namespace raak {

// Reads and checks the whole file; every mistake is an error of kind model_file with its place.
ModelSource load_model(const std::string& path);

}  // namespace raak
