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

// Has a model of a file solved in the coordinates of its bodies with all joints as rows, so that its multipliers are
// those of the equations whatever acts beside the forces of the file.
void use_body_coordinates(ModelSource& source);

// The parameters of a model with these values: those of a file that are defined by others follow them, unless they are
// set themselves.
Parameters values_of(const ModelSource& source, const Parameters& parameters);

}  // namespace raak
