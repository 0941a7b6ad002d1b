// The C interface over the public C++ one: every exception becomes a status and a message of the thread.
#include <raak/raak.h>
#include <raak/raak_c.h>

#include <cmath>
#include <exception>
#include <limits>
#include <new>
#include <string>
#include <utility>
#include <vector>

struct raak_model {
  raak::Model model;
};
struct raak_result {
  raak::Result result;
  std::string brief, json;
};
struct raak_stepper {
  raak::Stepper stepper;
};

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

struct LastError {
  std::string message, advice;
  int line = 0, column = 0;
  double time = none;
};
thread_local LastError last;

raak_status keep(raak_status status, LastError error) noexcept {
  last = std::move(error);
  return status;
}

template <class Work>
raak_status attempt(const Work& work) noexcept {
  try {
    work();
    return RAAK_OK;
  } catch (const raak::ModelError& error) {
    return keep(RAAK_MODEL_ERROR, {error.what(), "", error.line(), error.column()});
  } catch (const raak::RequestError& error) {
    return keep(RAAK_REQUEST_ERROR, {error.what(), ""});
  } catch (const raak::AssemblyError& error) {
    return keep(RAAK_COMPUTATION_ERROR, {error.what(), error.advice()});
  } catch (const raak::SolveError& error) {
    return keep(RAAK_COMPUTATION_ERROR, {error.what(), error.advice(), 0, 0, error.time()});
  } catch (const std::bad_alloc&) {
    return keep(RAAK_COMPUTATION_ERROR, {"there is not enough memory", ""});
  } catch (const std::exception& error) {
    return keep(RAAK_INTERNAL_ERROR, {error.what(), ""});
  } catch (...) {
    return keep(RAAK_INTERNAL_ERROR, {"unknown error", ""});
  }
}

template <class Pointer>
Pointer needed(Pointer pointer, const char* what) {
  if (pointer == nullptr) throw raak::RequestError(std::string(what) + " is NULL");
  return pointer;
}

template <class Make>
raak_status make_model(raak_model** model, const Make& make) noexcept {
  if (model != nullptr) *model = nullptr;
  // NOLINTNEXTLINE(bugprone-unhandled-exception-at-new): attempt() catches it
  return attempt([&] { *needed(model, "model") = new raak_model{make()}; });
}

raak::Options options_of(const raak_options* given) {
  raak::Options options;
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
  return options;
}

}  // namespace

const char* raak_last_message(void) {
  return last.message.c_str();
}
const char* raak_last_advice(void) {
  return last.advice.c_str();
}
int raak_last_line(void) {
  return last.line;
}
int raak_last_column(void) {
  return last.column;
}
double raak_last_time(void) {
  return last.time;
}
const char* raak_version(void) {
  return raak::version();
}

raak_status raak_load(const char* path, raak_model** model) {
  return make_model(model, [&] { return raak::load(needed(path, "path")); });
}
raak_status raak_parse(const char* text, raak_model** model) {
  return make_model(model, [&] { return raak::parse(needed(text, "text")); });
}
raak_status raak_problem(const char* name, raak_model** model) {
  return make_model(model, [&] { return raak::problem(needed(name, "name")); });
}
raak_status raak_model_copy(const raak_model* model, raak_model** copy) {
  return make_model(copy, [&] { return needed(model, "model")->model; });
}
void raak_model_free(raak_model* model) {
  delete model;
}

raak_status raak_get(const raak_model* model, const char* parameter, double* value) {
  return attempt([&] { *needed(value, "value") = needed(model, "model")->model.get(needed(parameter, "parameter")); });
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

void raak_options_init(raak_options* options) {
  if (options != nullptr) *options = {none, none, none, none, none, none, nullptr, nullptr, nullptr, nullptr, 0, 0};
}

raak_status raak_run(const raak_model* model, const raak_options* options, raak_result** result) {
  if (result != nullptr) *result = nullptr;
  return attempt([&] {
    needed(result, "result");
    try {
      *result = new raak_result{raak::run(needed(model, "model")->model, options_of(options)), {}, {}};
    } catch (const raak::SolveError& error) {
      if (error.partial() != nullptr) *result = new raak_result{*error.partial(), {}, {}};
      throw;
    }
  });
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
  return i < raak_column_count(result) ? result->result.names()[i].c_str() : nullptr;
}
raak_status raak_column(const raak_result* result, const char* name, const double** values) {
  return attempt([&] { *needed(values, "values") = needed(result, "result")->result[needed(name, "name")].data(); });
}
raak_status raak_at(const raak_result* result, double t, const char* name, double* value) {
  return attempt([&] { *needed(value, "value") = needed(result, "result")->result.at(t)[needed(name, "name")]; });
}
raak_status raak_end(const raak_result* result, const char* name, double* value) {
  return attempt([&] { *needed(value, "value") = needed(result, "result")->result.end()[needed(name, "name")]; });
}
raak_status raak_brief(raak_result* result, const char** text) {
  return attempt([&] {
    needed(text, "text");
    std::string& kept = needed(result, "result")->brief;
    kept = result->result.brief();
    *text = kept.c_str();
  });
}
raak_status raak_json(raak_result* result, const char** text) {
  return attempt([&] {
    needed(text, "text");
    std::string& kept = needed(result, "result")->json;
    kept = result->result.json();
    *text = kept.c_str();
  });
}
raak_status raak_report(const raak_result* result, const char* path) {
  return attempt([&] { needed(result, "result")->result.report(needed(path, "path")); });
}

raak_status raak_stepper_new(const raak_model* model, const raak_options* options, raak_stepper** stepper) {
  if (stepper != nullptr) *stepper = nullptr;
  return attempt([&] {
    *needed(stepper, "stepper") = new raak_stepper{raak::Stepper(needed(model, "model")->model, options_of(options))};
  });
}
raak_status raak_step(raak_stepper* stepper, int* going) {
  return attempt([&] { *needed(going, "going") = needed(stepper, "stepper")->stepper.step() ? 1 : 0; });
}
double raak_stepper_time(const raak_stepper* stepper) {
  return stepper == nullptr ? none : stepper->stepper.t();
}
raak_status raak_stepper_value(const raak_stepper* stepper, const char* name, double* value) {
  return attempt([&] { *needed(value, "value") = needed(stepper, "stepper")->stepper[needed(name, "name")]; });
}
raak_status raak_stepper_at(const raak_stepper* stepper, double t, const char* name, double* value) {
  return attempt([&] { *needed(value, "value") = needed(stepper, "stepper")->stepper.at(t)[needed(name, "name")]; });
}
void raak_stepper_free(raak_stepper* stepper) {
  delete stepper;
}
