// The runs and references that a document asks for.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "kinematics/model.h"
#include "modelfile/text/document.h"

namespace raak {

struct PlannedReference {
  std::string run;
  Place place;
  std::vector<std::pair<std::string, Place>> names;  // of the values, for messages
  Reference reference;
};

struct FilePlan {
  std::vector<Run> runs;
  std::vector<PlannedReference> references;
};

FilePlan read_plan(const toml::table& document, const std::string& path, const Parameters& parameters,
                   const FileReader& read = read_text);

}  // namespace raak
