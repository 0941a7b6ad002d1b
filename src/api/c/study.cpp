// Checks, costs and explanations, in the C interface.
#include <cmath>

#include "api/c/handles.h"

using raak::detail::attempt;
using raak::detail::make;
using raak::detail::needed;
using raak::detail::none;
using raak::detail::options_of;

struct raak_checks {
  std::vector<raak::CheckRow> rows;
};
struct raak_benches {
  std::vector<raak::BenchRow> rows;
};
struct raak_explanation {
  raak::Explanation found;
};

namespace {

template <class Rows>
const auto& row_of(const Rows& rows, size_t i) {
  if (i < rows.size()) return rows[i];
  throw raak::RequestError("there are " + std::to_string(rows.size()) + " rows, counted from 0, found " +
                           std::to_string(i));
}

const char* explained(const raak_explanation* found, std::string raak::Explanation::*what) {
  return found == nullptr ? nullptr : (found->found.*what).c_str();
}

std::vector<std::string> texts_of(const char* what, const char* const* texts, size_t count) {
  std::vector<std::string> list;
  for (size_t i = 0; i < count; ++i) list.emplace_back(needed(needed(texts, what)[i], what));
  return list;
}

raak::BenchOptions bench_options(const raak_bench_options* given) {
  raak::BenchOptions options;
  if (given == nullptr) return options;
  options.methods = texts_of("methods", given->methods, given->method_count);
  options.forms = texts_of("forms", given->forms, given->form_count);
  for (size_t i = 0; i < given->rtol_count; ++i) options.rtol.push_back(needed(given->rtol, "rtol")[i]);
  if (given->run != nullptr) options.run = given->run;
  if (!std::isnan(given->until)) options.until = given->until;
  return options;
}

}  // namespace

raak_status raak_check(const raak_model* model, const raak_options* options, raak_checks** checks) {
  return make(checks, "checks",
              [&] { return new raak_checks{raak::check(needed(model, "model")->model, options_of(options))}; });
}
size_t raak_check_count(const raak_checks* checks) {
  return checks == nullptr ? 0 : checks->rows.size();
}
raak_status raak_check_get(const raak_checks* checks, size_t i, raak_check_row* row) {
  return attempt([&] {
    const raak::CheckRow& found = row_of(needed(checks, "checks")->rows, i);
    *needed(row, "row") = {found.run.c_str(),
                           found.method.c_str(),
                           found.form.c_str(),
                           found.reference.c_str(),
                           found.message.c_str(),
                           found.rtol,
                           found.scd.value_or(none),
                           found.mescd.value_or(none),
                           found.scd_published.value_or(none),
                           found.mescd_published.value_or(none),
                           found.largest_difference.value_or(none),
                           found.position_residual,
                           found.velocity_residual,
                           found.energy_drift,
                           found.required,
                           found.tolerance,
                           found.pass ? 1 : 0,
                           found.skipped ? 1 : 0};
  });
}
void raak_checks_free(raak_checks* checks) {
  delete checks;
}

void raak_bench_options_init(raak_bench_options* options) {
  if (options == nullptr) return;
  *options = {};
  options->until = none;
}
raak_status raak_bench(const raak_model* model, const raak_bench_options* options, raak_benches** benches) {
  return make(benches, "benches",
              [&] { return new raak_benches{raak::bench(needed(model, "model")->model, bench_options(options))}; });
}
size_t raak_bench_count(const raak_benches* benches) {
  return benches == nullptr ? 0 : benches->rows.size();
}
raak_status raak_bench_get(const raak_benches* benches, size_t i, raak_bench_row* row) {
  return attempt([&] {
    const raak::BenchRow& found = row_of(needed(benches, "benches")->rows, i);
    *needed(row, "row") = {found.model.c_str(),
                           found.run.c_str(),
                           found.method.c_str(),
                           found.form.c_str(),
                           found.status.c_str(),
                           found.message.c_str(),
                           found.reference.c_str(),
                           found.rtol,
                           found.atol,
                           found.scd.value_or(none),
                           found.mescd.value_or(none),
                           found.energy_drift,
                           raak::detail::statistics_of(found.work),
                           found.cpu_us,
                           found.cpu_us_min};
  });
}
void raak_benches_free(raak_benches* benches) {
  delete benches;
}

raak_status raak_explain(const raak_model* model, const raak_options* options, raak_explanation** found) {
  return make(found, "found",
              [&] { return new raak_explanation{raak::explain(needed(model, "model")->model, options_of(options))}; });
}
const char* raak_explanation_cause(const raak_explanation* found) {
  return explained(found, &raak::Explanation::cause);
}
const char* raak_explanation_finding(const raak_explanation* found) {
  return explained(found, &raak::Explanation::finding);
}
const char* raak_explanation_advice(const raak_explanation* found) {
  return explained(found, &raak::Explanation::advice);
}
const char* raak_explanation_text(const raak_explanation* found) {
  return explained(found, &raak::Explanation::text);
}
const char* raak_explanation_json(const raak_explanation* found) {
  return explained(found, &raak::Explanation::json);
}
void raak_explanation_free(raak_explanation* found) {
  delete found;
}
