// A model file as a model: what `raak run x.toml` runs.
#pragma once
#include <string>

#include "kinematics/model.h"
#include "modelfile/text/document.h"

namespace raak {

// Reads and checks the whole file; every mistake is an error of kind model_file with its place.
// `read`: gives the text of the file and of those it names.
ModelSource load_model(const std::string& path, const FileReader& read = read_text);
// The same of a text that lies in no file. `name`: stands for the file in messages.
ModelSource parse_model(const std::string& text, const std::string& name);

}  // namespace raak
