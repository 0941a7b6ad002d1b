// What a report says of a run beyond its document: every parameter with its unit, and the references it is judged by.
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "kinematics/model.h"
#include "output/formats/json.h"

namespace raak {

// `defaults`: those of the model, to show which parameters were set. `model_text`: of a model file.
Json about_document(const RunRecord& record, const Parameters& parameters, const Parameters& defaults,
                    const Model& model, const Result& result, const std::string& model_text = {});

}  // namespace raak
