// Runs, their results and steppers, in the C interface.
#include <algorithm>

#include "api/c/handles.h"

using raak::detail::attempt;
using raak::detail::give_text;
using raak::detail::make;
using raak::detail::needed;
using raak::detail::none;
using raak::detail::options_of;
using raak::detail::statistics_of;
using raak::detail::text_of;

struct raak_stepper {
  raak::Stepper stepper;
};

const raak_result::Told* raak_result::told() const noexcept {
  try {
    std::call_once(asked_, [&] {
      told_ =
          Told{result.status(), result.message(), result.method(), result.form(), result.events(), result.warnings()};
    });
    return &*told_;
  } catch (...) {
    return nullptr;
  }
}

raak_statistics raak::detail::statistics_of(const Statistics& work) {
  return {work.steps,     work.accepted,       work.rejected,   work.evaluations,
          work.jacobians, work.factorizations, work.cpu_seconds};
}

namespace {

const raak_result::Told* told_of(const raak_result* result) {
  return result == nullptr ? nullptr : result->told();
}

const char* told_text(const raak_result* result, std::string raak_result::Told::*what) {
  const raak_result::Told* const told = told_of(result);
  return told == nullptr ? nullptr : (told->*what).c_str();
}

}  // namespace

raak_status raak_run(const raak_model* model, const raak_options* options, raak_result** result) {
  return raak::detail::run_into(result, [&] { return raak::run(needed(model, "model")->model, options_of(options)); });
}
void raak_result_free(raak_result* result) {
  delete result;
}

size_t raak_samples(const raak_result* result) {
  return result == nullptr ? 0 : result->result.t().size();
}
size_t raak_column_count(const raak_result* result) {
  return result == nullptr ? 0 : result->result.names().size();
}
const char* raak_column_name(const raak_result* result, size_t i) {
  return result == nullptr ? nullptr : text_of(result->result.names(), i);
}
raak_status raak_column_place(const raak_result* result, const char* name, size_t* place) {
  return attempt([&] { *needed(place, "place") = needed(result, "result")->result.place(needed(name, "name")); });
}
raak_status raak_column(const raak_result* result, const char* name, const double** values) {
  return attempt([&] { *needed(values, "values") = needed(result, "result")->result[needed(name, "name")].data(); });
}
raak_status raak_at(const raak_result* result, double t, const char* name, double* value) {
  return attempt([&] { *needed(value, "value") = needed(result, "result")->result.at(t)[needed(name, "name")]; });
}
raak_status raak_at_times(const raak_result* result, size_t count, const double* times, double* values) {
  return attempt([&] {
    needed(result, "result");
    if (count == 0) return;
    const std::vector<double> all = result->result.at(std::span(needed(times, "times"), count));
    std::copy(all.begin(), all.end(), needed(values, "values"));
  });
}
raak_status raak_begin(const raak_result* result, const char* name, double* value) {
  return attempt([&] { *needed(value, "value") = needed(result, "result")->result.start()[needed(name, "name")]; });
}
raak_status raak_end(const raak_result* result, const char* name, double* value) {
  return attempt([&] { *needed(value, "value") = needed(result, "result")->result.end()[needed(name, "name")]; });
}

raak_status raak_result_statistics(const raak_result* result, raak_statistics* statistics) {
  return attempt(
      [&] { *needed(statistics, "statistics") = statistics_of(needed(result, "result")->result.statistics()); });
}
raak_status raak_result_quality(const raak_result* result, raak_quality* quality) {
  return attempt([&] {
    const raak::Quality found = needed(result, "result")->result.quality();
    *needed(quality, "quality") = {found.position_residual, found.velocity_residual, found.energy_drift,
                                   found.scd.value_or(none), found.mescd.value_or(none)};
  });
}
const char* raak_result_status(const raak_result* result) {
  return told_text(result, &raak_result::Told::status);
}
const char* raak_result_message(const raak_result* result) {
  return told_text(result, &raak_result::Told::message);
}
const char* raak_result_method(const raak_result* result) {
  return told_text(result, &raak_result::Told::method);
}
const char* raak_result_form(const raak_result* result) {
  return told_text(result, &raak_result::Told::form);
}
size_t raak_event_count(const raak_result* result) {
  const raak_result::Told* const told = told_of(result);
  return told == nullptr ? 0 : told->events.size();
}
const char* raak_event_name(const raak_result* result, size_t i) {
  return i < raak_event_count(result) ? told_of(result)->events[i].name.c_str() : nullptr;
}
double raak_event_time(const raak_result* result, size_t i) {
  return i < raak_event_count(result) ? told_of(result)->events[i].t : none;
}
size_t raak_warning_count(const raak_result* result) {
  const raak_result::Told* const told = told_of(result);
  return told == nullptr ? 0 : told->warnings.size();
}
const char* raak_warning(const raak_result* result, size_t i) {
  return i < raak_warning_count(result) ? text_of(told_of(result)->warnings, i) : nullptr;
}

raak_status raak_brief(raak_result* result, const char** text) {
  return attempt([&] { give_text(needed(result, "result")->brief, text, [&] { return result->result.brief(); }); });
}
raak_status raak_json(raak_result* result, const char** text) {
  return attempt([&] { give_text(needed(result, "result")->json, text, [&] { return result->result.json(); }); });
}
raak_status raak_report(const raak_result* result, const char* path) {
  return attempt([&] { needed(result, "result")->result.report(needed(path, "path")); });
}
raak_status raak_save(const raak_result* result, const char* folder) {
  return attempt([&] { needed(result, "result")->result.save(needed(folder, "folder")); });
}

raak_status raak_stepper_new(const raak_model* model, const raak_options* options, raak_stepper** stepper) {
  return make(stepper, "stepper",
              [&] { return new raak_stepper{raak::Stepper(needed(model, "model")->model, options_of(options))}; });
}
raak_status raak_step(raak_stepper* stepper, int* going) {
  return attempt([&] {
    needed(going, "going");
    *going = needed(stepper, "stepper")->stepper.step() ? 1 : 0;
  });
}
double raak_stepper_time(const raak_stepper* stepper) {
  return stepper == nullptr ? none : stepper->stepper.t();
}
double raak_stepper_before(const raak_stepper* stepper) {
  return stepper == nullptr ? none : stepper->stepper.before();
}
raak_status raak_stepper_value(const raak_stepper* stepper, const char* name, double* value) {
  return attempt([&] { *needed(value, "value") = needed(stepper, "stepper")->stepper[needed(name, "name")]; });
}
raak_status raak_stepper_at(const raak_stepper* stepper, double t, const char* name, double* value) {
  return attempt([&] { *needed(value, "value") = needed(stepper, "stepper")->stepper.at(t)[needed(name, "name")]; });
}
raak_status raak_stepper_statistics(const raak_stepper* stepper, raak_statistics* statistics) {
  return attempt(
      [&] { *needed(statistics, "statistics") = statistics_of(needed(stepper, "stepper")->stepper.statistics()); });
}
void raak_stepper_free(raak_stepper* stepper) {
  delete stepper;
}
