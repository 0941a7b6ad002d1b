// From the words of a user to a model that is ready to run: which one, which of its runs, with which values and start.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "cli/commands/commands.h"
#include "kinematics/model.h"

namespace raak::cli {

// A built-in model, or the model of a file. Refuses an unknown name with the nearest one.
const ModelSource& find_model(const std::string& name);
// Where several models are taken: a folder means its *.toml.
std::vector<std::string> names_of_models(const std::vector<std::string>& names);
std::vector<const ModelSource*> find_models(const std::vector<std::string>& names);

// Refuses a setting that the model does not have.
void check_settings(const ModelSource& source, const std::vector<std::pair<std::string, std::string>>& settings);

struct ChosenModel {
  const ModelSource* source = nullptr;
  const Run* run = nullptr;
  std::string method;  // asked for, or that of the run
  Form form = Form::index1;
  Model model;
  Parameters parameters;  // as set
};

// `method`: empty: that of the run. It matters for the form: one that the run suggests is left out if the method does
// not offer it.
ChosenModel choose_model(const ModelOptions& options, const std::string& method);
// The method that it would choose.
const std::string& choose_method(const ModelOptions& options, const std::string& method);

}  // namespace raak::cli
