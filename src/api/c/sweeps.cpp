// Many runs of one model, in the C interface.
#include <atomic>

#include "api/c/handles.h"
#include "api/translate.h"
#include "output/folder/folder.h"

using raak_v0::detail::attempt;
using raak_v0::detail::give_text;
using raak_v0::detail::make;
using raak_v0::detail::needed;
using raak_v0::detail::none;

struct raak_sweep {
  raak_v0::Sweep sweep;
  std::string summary, plan;
};

namespace {

raak_v0::SweepOptions options_of(const raak_sweep_options* given, std::atomic<bool>& stop) {
  raak_v0::SweepOptions options;
  if (given == nullptr) return options;
  if (given->folder != nullptr) options.folder = given->folder;
  options.resume = given->resume != 0;
  options.exact = given->exact != 0;
  options.threads = given->threads;
  options.shard = given->shard;
  options.shards = given->shards;
  options.stop = &stop;
  if (given->begins != nullptr) options.begins = [given](std::uint64_t cases) { given->begins(given->data, cases); };
  if (given->case_done != nullptr)
    options.case_done = [given, &stop](bool failed) {
      if (given->case_done(given->data, failed ? 1 : 0) == 0) stop = true;
    };
  if (given->warning != nullptr)
    options.warning = [given](const std::string& text) { given->warning(given->data, text.c_str()); };
  return options;
}

const raak_v0::SweepColumn* column_of(const raak_sweep* sweep, size_t i) {
  if (i >= raak_sweep_column_count(sweep)) return nullptr;
  const auto &varied = sweep->sweep.varied(), &kept = sweep->sweep.kept();
  return i < varied.size() ? &varied[i] : &kept[i - varied.size()];
}

const raak_v0::SweepCause* cause_of(const raak_sweep* sweep, size_t i) {
  return i < raak_sweep_cause_count(sweep) ? &sweep->sweep.causes()[i] : nullptr;
}

}  // namespace

void raak_sweep_options_init(raak_sweep_options* options) {
  if (options == nullptr) return;
  *options = {};
  options->shard = options->shards = 1;
}

raak_status raak_sweep_plan(const char* plan, const raak_sweep_options* options, raak_sweep** sweep) {
  return make(sweep, "sweep", [&] {
    std::atomic<bool> stop = false;
    return new raak_sweep{raak_v0::sweep(std::string(needed(plan, "plan")), options_of(options, stop)), {}, {}};
  });
}
raak_status raak_sweep_model(const raak_model* model, const char* plan, const char* table,
                             const raak_sweep_options* options, raak_sweep** sweep) {
  return make(sweep, "sweep", [&] {
    std::atomic<bool> stop = false;
    return new raak_sweep{raak_v0::sweep(needed(model, "model")->model, needed(plan, "plan"), options_of(options, stop),
                                         table == nullptr ? "" : table),
                          {},
                          {}};
  });
}
raak_status raak_sweep_load(const char* folder, raak_sweep** sweep) {
  return make(sweep, "sweep", [&] { return new raak_sweep{raak_v0::load_sweep(needed(folder, "folder")), {}, {}}; });
}
void raak_sweep_free(raak_sweep* sweep) {
  delete sweep;
}

size_t raak_sweep_planned(const raak_sweep* sweep) {
  return sweep == nullptr ? 0 : sweep->sweep.planned();
}
size_t raak_sweep_done(const raak_sweep* sweep) {
  return sweep == nullptr ? 0 : sweep->sweep.cases().size();
}
size_t raak_sweep_case_number(const raak_sweep* sweep, size_t i) {
  return i < raak_sweep_done(sweep) ? sweep->sweep.cases()[i] : 0;
}
size_t raak_sweep_varied_count(const raak_sweep* sweep) {
  return sweep == nullptr ? 0 : sweep->sweep.varied().size();
}
size_t raak_sweep_column_count(const raak_sweep* sweep) {
  return sweep == nullptr ? 0 : sweep->sweep.varied().size() + sweep->sweep.kept().size();
}
const char* raak_sweep_column_name(const raak_sweep* sweep, size_t i) {
  const raak_v0::SweepColumn* const column = column_of(sweep, i);
  return column == nullptr ? nullptr : column->name.c_str();
}
const char* raak_sweep_column_unit(const raak_sweep* sweep, size_t i) {
  const raak_v0::SweepColumn* const column = column_of(sweep, i);
  return column == nullptr ? nullptr : column->unit.c_str();
}
size_t raak_sweep_column_width(const raak_sweep* sweep, size_t i) {
  const raak_v0::SweepColumn* const column = column_of(sweep, i);
  return column == nullptr ? 0 : column->width;
}
raak_status raak_sweep_column(const raak_sweep* sweep, const char* name, const double** values) {
  return attempt([&] { *needed(values, "values") = needed(sweep, "sweep")->sweep[needed(name, "name")].data(); });
}
size_t raak_sweep_time_count(const raak_sweep* sweep) {
  return sweep == nullptr ? 0 : sweep->sweep.times().size();
}
double raak_sweep_time(const raak_sweep* sweep, size_t i) {
  return i < raak_sweep_time_count(sweep) ? sweep->sweep.times()[i] : none;
}
size_t raak_sweep_shape_count(const raak_sweep* sweep) {
  return sweep == nullptr ? 0 : sweep->sweep.shape().size();
}
size_t raak_sweep_shape(const raak_sweep* sweep, size_t i) {
  return i < raak_sweep_shape_count(sweep) ? sweep->sweep.shape()[i] : 0;
}
size_t raak_sweep_outcome(const raak_sweep* sweep, size_t i) {
  return i < raak_sweep_done(sweep) ? sweep->sweep.outcomes()[i] : 0;
}
size_t raak_sweep_cause_count(const raak_sweep* sweep) {
  return sweep == nullptr ? 0 : sweep->sweep.causes().size();
}
const char* raak_sweep_cause(const raak_sweep* sweep, size_t i) {
  const raak_v0::SweepCause* const cause = cause_of(sweep, i);
  return cause == nullptr ? nullptr : cause->cause.c_str();
}
const char* raak_sweep_cause_message(const raak_sweep* sweep, size_t i) {
  const raak_v0::SweepCause* const cause = cause_of(sweep, i);
  return cause == nullptr ? nullptr : cause->message.c_str();
}
size_t raak_sweep_cause_cases(const raak_sweep* sweep, size_t i) {
  const raak_v0::SweepCause* const cause = cause_of(sweep, i);
  return cause == nullptr ? 0 : cause->cases;
}
size_t raak_sweep_cause_first(const raak_sweep* sweep, size_t i) {
  const raak_v0::SweepCause* const cause = cause_of(sweep, i);
  return cause == nullptr ? 0 : cause->first_case;
}

raak_status raak_sweep_summary(raak_sweep* sweep, const char** text) {
  return attempt([&] { give_text(needed(sweep, "sweep")->summary, text, [&] { return sweep->sweep.summary(); }); });
}
raak_status raak_sweep_plan_text(raak_sweep* sweep, const char** text) {
  return attempt([&] { give_text(needed(sweep, "sweep")->plan, text, [&] { return sweep->sweep.plan(); }); });
}
raak_status raak_sweep_page(const raak_sweep* sweep, const char* path) {
  return attempt([&] {
    const std::string page = needed(sweep, "sweep")->sweep.page();
    raak_v0::detail::guarded({}, [&] { raak_v0::core::write_file(needed(path, "path"), page); });
  });
}
raak_status raak_sweep_table(const raak_sweep* sweep, const char* path) {
  return attempt([&] { needed(sweep, "sweep")->sweep.table(needed(path, "path")); });
}
raak_status raak_sweep_save(const raak_sweep* sweep, const char* path) {
  return attempt([&] { needed(sweep, "sweep")->sweep.save(needed(path, "path")); });
}
raak_status raak_sweep_run(const raak_sweep* sweep, size_t number, raak_result** result) {
  return raak_v0::detail::run_into(result, [&] { return needed(sweep, "sweep")->sweep.run(number); });
}
