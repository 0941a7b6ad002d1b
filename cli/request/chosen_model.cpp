#include "cli/request/chosen_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>

#include "base/error.h"
#include "base/text/text.h"
#include "cli/request/arguments.h"
#include "modelfile/load.h"
#include "modelfile/templates.h"
#include "problems/catalogue.h"
#include "run/asked_start.h"
#include "run/run_request.h"

namespace raak::cli {
namespace {

// NAME or NAME=VALUE of --trust and --guess.
std::vector<StartValue> read_start_values(const std::string& option, const std::vector<std::string>& texts) {
  std::vector<StartValue> values;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    StartValue& value = values.emplace_back(StartValue{.name = text.substr(0, equals), .value = {}});
    if (equals != std::string::npos) value.value = read_number(option + " " + value.name, text.substr(equals + 1));
  }
  return values;
}

// A value that the file itself does not bear is wrong on the command line, not in the file.
Model build_with_settings(const ModelSource& source, const Run& run, const Parameters& parameters, Form form,
                          const std::vector<std::string>& settings) {
  try {
    return source.build(parameters, form);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::model_file || settings.empty()) throw;
    Parameters own = source.parameters;
    for (const auto& [name, value] : run.settings) own.set(name, value);
    source.build(own, form);
    refuse(fmt::format("--set {}: {}", join(settings, " --set "), error.what()));
  }
}

// Read once, kept for the life of the program.
const ModelSource& model_of_file(const std::string& path) {
  static std::map<std::string, ModelSource> files;
  const auto known = files.find(path);
  return known != files.end() ? known->second : files.emplace(path, load_model(path)).first->second;
}

bool is_template(const std::string& name) {
  const std::vector<TemplateInfo>& templates = template_catalogue();
  return std::any_of(templates.begin(), templates.end(), [&](const TemplateInfo& info) { return info.name == name; });
}

// What may have been meant by a file that there is not: a built-in model, a template, another file beside it.
std::string meant_by(const std::filesystem::path& file, const std::vector<std::string>& built_in) {
  const std::string stem = file.stem().string();
  if (std::find(built_in.begin(), built_in.end(), stem) != built_in.end())
    return fmt::format("; a built-in model is called \"{}\"", stem);
  if (is_template(stem)) return fmt::format("; raak new {} writes one", stem);
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  std::vector<std::string> files;
  std::error_code unreadable;
  if (std::filesystem::is_symlink(file, unreadable)) {
    const std::filesystem::path target = std::filesystem::read_symlink(file, unreadable);
    return fmt::format(": the link leads to \"{}\", where there is none", target.string());
  }
  for (const auto& entry : std::filesystem::directory_iterator(folder, unreadable))
    if (entry.path().extension() == ".toml" && entry.exists(unreadable))
      files.push_back(entry.path().filename().string());
  const std::optional<std::string> near = nearest_name(file.filename().string(), files);
  return near ? fmt::format("; did you mean \"{}\"?", (file.parent_path() / *near).string()) : "";
}

}  // namespace

const ModelSource& find_model(const std::string& name) {
  std::vector<std::string> names;
  for (const ModelSource& source : problem_catalogue()) {
    if (source.name == name) return source;
    names.push_back(source.name);
  }
  if (name.empty()) refuse(fmt::format("name a model: a file (*.toml), or one of {}", join(names)));
  std::error_code unreadable;
  if (name.ends_with(".json"))
    refuse(fmt::format("a model file is TOML, and \"{0}\" is JSON: raak convert {0} makes one of it", name));
  if (std::filesystem::exists(name, unreadable)) return model_of_file(name);
  if (name.ends_with(".toml")) refuse(fmt::format("there is no model file \"{}\"{}", name, meant_by(name, names)));
  if (is_template(name))
    refuse(fmt::format("no model is called \"{0}\", but a template is: raak new {0}, then raak run {0}.toml", name));
  refuse(unknown_name("model or file", name, names));
}

std::vector<std::string> names_of_models(const std::vector<std::string>& names) {
  std::vector<std::string> models;
  const auto add = [&](const std::string& name) {
    if (std::find(models.begin(), models.end(), name) == models.end()) models.push_back(name);
  };
  for (const std::string& name : names) {
    std::error_code unreadable;
    if (!std::filesystem::is_directory(name, unreadable)) {
      add(name);
      continue;
    }
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(name, unreadable))
      if (entry.path().extension() == ".toml") files.push_back(entry.path().string());
    if (files.empty()) refuse("the folder \"" + name + "\" has no model file (*.toml)");
    std::sort(files.begin(), files.end());
    for (const std::string& file : files) add(file);
  }
  return models;
}

std::vector<const ModelSource*> find_models(const std::vector<std::string>& names) {
  std::vector<const ModelSource*> models;
  for (const std::string& name : names_of_models(names)) {
    const ModelSource* const model = &find_model(name);
    if (std::find(models.begin(), models.end(), model) == models.end()) models.push_back(model);
  }
  return models;
}

void check_settings(const ModelSource& source, const std::vector<std::pair<std::string, std::string>>& settings) {
  Parameters parameters = source.parameters;
  for (const auto& [name, value] : settings) {
    try {
      parameters.set(name, value);
    } catch (const Error& error) {
      throw Error(error.kind(), source.name + ": " + error.what());
    }
  }
}

const std::string& choose_method(const ModelOptions& options, const std::string& method) {
  return method.empty() ? method_of(find_run(find_model(options.model), options.run)) : method;
}

ChosenModel choose_model(const ModelOptions& options, const std::string& asked) {
  const std::string& method = choose_method(options, asked);
  const ModelSource& source = find_model(options.model);
  const Run& run = find_run(source, options.run);
  Parameters parameters = source.parameters;
  for (const auto& [name, value] : run.settings) parameters.set(name, value);
  for (const auto& [name, value] : read_settings(options.settings)) parameters.set(name, value);
  const Form form = options.form ? read_form(*options.form) : find_method(method).nearest(run.form);
  ChosenModel chosen{
      &source, &run, method, form, build_with_settings(source, run, parameters, form, options.settings), parameters};
  keep_references_of(chosen.model, run.name);
  if (options.trust.empty() && options.guess.empty()) return chosen;
  restart(chosen.model, read_start_values("--trust", options.trust), read_start_values("--guess", options.guess),
          {.trust = "--trust", .guess = "--guess"});
  return chosen;
}

}  // namespace raak::cli
