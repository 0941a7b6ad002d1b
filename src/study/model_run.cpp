#include "study/model_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/version.h"
#include "output/about.h"
#include "study/accuracy.h"
#include "system/energy_accounts.h"

namespace raak {
namespace {

// Something moves in time, if not yet at the start.
bool is_driven(const ConstrainedSystem& system) {
  const EnergyAccounts* const accounts = system.energy_accounts();
  if (accounts == nullptr) return false;
  return std::any_of(accounts->works().begin(), accounts->works().end(),
                     [](const EnergyAccount& account) { return account.kind == EnergyAccount::Kind::driver; });
}

std::string partial_note(const Result& result) {
  if (result.termination == Termination::ok) return "";
  return fmt::format("{} at t = {:.9g} s: {}", status_name(result.termination), result.end.t, result.message);
}

}  // namespace

void refuse_structure(const Model& model, const State& start, const std::string& reactions) {
  const MobilityReport* const report = model.mobility.get();
  if (report == nullptr || report->mobility != 0 || is_driven(*model.system)) return;
  // What a singular configuration leaves open at first order cannot go on.
  if (report->infinitesimal() == 0 && (start.v.norm() > 0.0 || start.a.norm() > 1e-9)) return;
  throw Error(ErrorKind::computation, "nothing can move: the mechanism is a structure. Its reactions: " + reactions);
}

RunRecord record_of(const ModelSource& source, const Model& model, const std::string& run, const Plan& plan,
                    const Result& result) {
  RunRecord record{program_name(), source.name, run, plan.method, plan.tolerances, {}, source.title};
  record.mobility = model.mobility;
  if (result.termination == Termination::ok) {
    const Tolerance& tolerance = plan.tolerances.q;
    record.digits = measure_accuracy(model, result.form, result, tolerance.rtol, tolerance.atol);
  }
  return record;
}

Observer write_to(RunFiles& files, Plan& plan) {
  plan.frame = [&](const Sample& sample) { files.add_frame(sample); };
  plan.step_taken = [&](const StepReport& step) { files.add_step(step); };
  plan.between_frames = [&](const Sample& sample) { files.add_between(sample); };
  plan.partitions.chosen = [&](const PartitionRecord& partition) { files.add_partition(partition); };
  return [&](const Sample& sample) { files.add(sample); };
}

void gather_frames(RunFiles& files, const Result& result) {
  if (result.termination != Termination::ok) files.take_frames_from_rows();
  files.find_bands();
}

void finish_files(RunFiles& files, const ModelSource& source, const Parameters& parameters, const Model& model,
                  const RunRecord& record, const Result& result, Json& document, const RunFiles::Pictures& pictures) {
  const Json about = about_document(record, parameters, source.parameters, model, result, source.text);
  files.finish(document, about, partial_note(result), pictures);
}

}  // namespace raak
