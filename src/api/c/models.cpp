// Models, their parameters and their starts, in the C interface.
#include <cmath>

#include "api/c/handles.h"

using raak::detail::attempt;
using raak::detail::give_text;
using raak::detail::make;
using raak::detail::needed;
using raak::detail::none;
using raak::detail::options_of;
using raak::detail::text_of;

namespace raak_v0::detail {
namespace {

std::vector<Setting> settings_of(const char* what, const raak_setting* settings, std::size_t count) {
  std::vector<Setting> list;
  if (count > 0) needed(settings, what);
  for (std::size_t i = 0; i < count; ++i) list.emplace_back(needed(settings[i].name, "a name"), settings[i].value);
  return list;
}

}  // namespace

Options options_of(const raak_options* given) {
  Options options;
  if (given == nullptr) return options;
  const auto take = [](double from, std::optional<double>& to) {
    if (!std::isnan(from)) to = from;
  };
  take(given->until, options.until);
  take(given->rtol, options.rtol);
  take(given->atol, options.atol);
  take(given->every, options.every);
  take(given->step, options.step);
  take(given->h0, options.h0);
  if (given->method != nullptr) options.method = given->method;
  if (given->form != nullptr) options.form = given->form;
  if (given->run != nullptr) options.run = given->run;
  if (given->at != nullptr) options.at.assign(given->at, given->at + given->at_count);
  options.end_only = given->end_only != 0;
  options.trust = settings_of("trust", given->trust, given->trust_count);
  options.guess = settings_of("guess", given->guess, given->guess_count);
  if (given->progress != nullptr)
    options.progress = [call = given->progress, data = given->progress_data](const Progress& now) {
      const raak_progress at{now.t, now.start, now.until, now.steps};
      return call(data, &at) != 0;
    };
  return options;
}

}  // namespace raak_v0::detail

const char* raak_version(void) {
  return raak::version();
}

raak_status raak_load(const char* path, raak_model** model) {
  return make(model, "model", [&] { return new raak_model(raak::load(needed(path, "path"))); });
}
raak_status raak_parse(const char* text, raak_model** model) {
  return make(model, "model", [&] { return new raak_model(raak::parse(needed(text, "text"))); });
}
raak_status raak_problem(const char* name, raak_model** model) {
  return make(model, "model", [&] { return new raak_model(raak::problem(needed(name, "name"))); });
}
raak_status raak_model_copy(const raak_model* model, raak_model** copy) {
  return make(copy, "copy", [&] { return new raak_model(needed(model, "model")->model); });
}
void raak_model_free(raak_model* model) {
  delete model;
}

const char* raak_model_name(const raak_model* model) {
  return model == nullptr ? nullptr : model->model.name().c_str();
}
const char* raak_model_title(const raak_model* model) {
  return model == nullptr ? nullptr : model->model.title().c_str();
}
size_t raak_run_count(const raak_model* model) {
  return model == nullptr ? 0 : model->runs.size();
}
const char* raak_run_name(const raak_model* model, size_t i) {
  return model == nullptr ? nullptr : text_of(model->runs, i);
}
size_t raak_parameter_count(const raak_model* model) {
  return model == nullptr ? 0 : model->parameters.size();
}
const char* raak_parameter_name(const raak_model* model, size_t i) {
  return model == nullptr ? nullptr : text_of(model->parameters, i);
}

raak_status raak_get(const raak_model* model, const char* parameter, double* value) {
  return attempt([&] { *needed(value, "value") = needed(model, "model")->model.get(needed(parameter, "parameter")); });
}
raak_status raak_get_text(raak_model* model, const char* parameter, const char** text) {
  return attempt([&] {
    give_text(needed(model, "model")->text, text, [&] { return model->model.text(needed(parameter, "parameter")); });
  });
}
raak_status raak_set(raak_model* model, const char* parameter, double value) {
  return attempt([&] { needed(model, "model")->model.set(needed(parameter, "parameter"), value); });
}
raak_status raak_set_all(raak_model* model, size_t count, const char* const* parameters, const double* values) {
  return attempt([&] {
    std::vector<raak::Setting> settings;
    for (size_t i = 0; i < count; ++i)
      settings.emplace_back(needed(needed(parameters, "parameters")[i], "a parameter"), needed(values, "values")[i]);
    needed(model, "model")->model.set(settings);
  });
}
raak_status raak_set_choice(raak_model* model, const char* parameter, const char* choice) {
  return attempt([&] {
    needed(model, "model")->model.set(needed(parameter, "parameter"), std::string_view(needed(choice, "choice")));
  });
}
raak_status raak_set_texts(raak_model* model, size_t count, const char* const* parameters, const char* const* values) {
  return attempt([&] {
    std::vector<std::pair<std::string, std::variant<double, std::string>>> settings;
    for (size_t i = 0; i < count; ++i)
      settings.emplace_back(needed(needed(parameters, "parameters")[i], "a parameter"),
                            std::string(needed(needed(values, "values")[i], "a value")));
    needed(model, "model")->model.set_all(settings);
  });
}
raak_status raak_toml(raak_model* model, const char* folder, const char** text) {
  return attempt([&] {
    give_text(needed(model, "model")->toml, text, [&] { return model->model.toml(folder == nullptr ? "" : folder); });
  });
}

void raak_options_init(raak_options* options) {
  if (options == nullptr) return;
  *options = {};
  for (double* number :
       {&options->until, &options->rtol, &options->atol, &options->every, &options->step, &options->h0})
    *number = none;
}

raak_status raak_assemble(const raak_model* model, const raak_options* options, raak_start** start) {
  return make(start, "start",
              [&] { return new raak_start{needed(model, "model")->model.assemble(options_of(options))}; });
}
void raak_start_free(raak_start* start) {
  delete start;
}
raak_status raak_start_count(const raak_start* start, raak_start_counts* counts) {
  return attempt([&] {
    const raak::Start& s = needed(start, "start")->start;
    *needed(counts, "counts") = {s.coordinates, s.rows, s.rank, s.mobility, s.redundant_rows};
  });
}
raak_status raak_start_value(const raak_start* start, const char* name, double* value) {
  return attempt([&] { *needed(value, "value") = needed(start, "start")->start.at[needed(name, "name")]; });
}
size_t raak_redundant_count(const raak_start* start) {
  return start == nullptr ? 0 : start->start.redundant.size();
}
const char* raak_redundant_name(const raak_start* start, size_t i) {
  return start == nullptr ? nullptr : text_of(start->start.redundant, i);
}
size_t raak_note_count(const raak_start* start) {
  return start == nullptr ? 0 : start->start.notes.size();
}
const char* raak_note(const raak_start* start, size_t i) {
  return start == nullptr ? nullptr : text_of(start->start.notes, i);
}
