#include "output/formats/json.h"

#include <cmath>
#include <cstddef>
#include <nlohmann/json.hpp>

#include "base/text/visible_text.h"
#include "run/diagnosis/diagnosis.h"

namespace raak {
namespace {

Json tolerances_of(const Tolerances& tolerances) {
  const auto one = [](const Tolerance& t) {
    Json json{{"rtol", t.rtol}, {"atol", number_or_null(t.atol)}};
    if (t.length_atol > 0.0) json["atol_of_lengths"] = t.length_atol;
    return json;
  };
  return {{"q", one(tolerances.q)}, {"v", one(tolerances.v)}, {"lambda", one(tolerances.lambda)}};
}

// Which reactions are numbers, and why others are null.
Json reactions_of(const MobilityReport* mobility, const Result& result) {
  if (mobility == nullptr) return nullptr;
  const bool unique = mobility->sharing.empty();
  const bool is_singular = result.end.lambda.size() > 0 && !result.end.lambda.allFinite();
  return {{"unique", unique && !is_singular},
          {"indeterminate", mobility->sharing},
          {"indeterminate_components", mobility->indeterminate},
          {"left_out_gap", number_or_null(result.left_out_gap)},
          {"reason", is_singular ? "the end is a singular configuration, where reactions are unbounded or not unique"
                     : !unique   ? "these joints constrain the same motion more than once: how they share the load "
                                   "depends on their stiffness, which rigid bodies do not have"
                                 : ""}};
}

}  // namespace

Json number_or_null(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json number_or_null(const std::optional<double>& value) {
  return value ? number_or_null(*value) : Json(nullptr);
}

Json array_of(const Vector& values) {
  Json array = Json::array();
  for (const double value : values) array.push_back(number_or_null(value));
  return array;
}

const char* status_name(Termination termination) {
  switch (termination) {
    case Termination::ok:
      return "ok";
    case Termination::failed:
      return "failed";
    case Termination::interrupted:
      return "interrupted";
  }
  return "failed";
}

Json conditioning_document(const Conditioning& c) {
  Json rows = Json::array();
  for (const auto& [row, weight] : c.rows)
    rows.push_back({{"constraint", row.name()}, {"weight", number_or_null(weight)}});
  return {{"t", c.t}, {"ratio", number_or_null(c.ratio)}, {"constraints", std::move(rows)}};
}

Json mode_document(const FastestMode& mode) {
  const auto shares = [](const char* key, const FastestMode::Shares& list) {
    Json array = Json::array();
    for (const auto& [name, share] : list) array.push_back({{key, name}, {"share", number_or_null(share)}});
    return array;
  };
  return {{"t", mode.t},
          {"decay", number_or_null(mode.decay)},
          {"frequency", number_or_null(mode.frequency)},
          {"coordinates", shares("coordinate", mode.coordinates)},
          {"forces", shares("force", mode.forces)}};
}

Json diagnosis_document(const std::optional<Diagnosis>& diagnosis) {
  if (!diagnosis) return nullptr;
  const Diagnosis& d = *diagnosis;
  return {
      {"cause", cause_name(d.cause)},
      {"t", number_or_null(d.t)},
      {"step", number_or_null(d.step)},
      {"happened", d.happened},
      {"because", d.because},
      {"advice", d.advice},
      {"residual", {{"constraint", d.worst_constraint}, {"largest", number_or_null(d.worst_residual)}}},
      {"conditioning", conditioning_document(d.conditioning)},
      {"growing", {{"what", d.growing}, {"value", number_or_null(d.grown_to)}, {"factor", number_or_null(d.growth)}}},
      {"fastest_mode", d.fastest.speed() > 0.0 ? mode_document(d.fastest) : Json(nullptr)}};
}

Json ledger_document(const Ledger& ledger) {
  Json accounts = Json::array();
  for (const Ledger::Entry& entry : ledger.entries) {
    if (entry.start == 0.0 && entry.end == 0.0) continue;
    // Work of a damper on the mechanism is what it dissipates, with the other sign: as in the sum.
    const double sign = entry.account.kind == EnergyAccount::Kind::dissipation ? -1.0 : 1.0;
    accounts.push_back({{"name", entry.account.name},
                        {"kind", kind_name(entry.account.kind)},
                        {"start", number_or_null(sign * entry.start + 0.0)},
                        {"end", number_or_null(sign * entry.end + 0.0)},
                        {"change", number_or_null(sign * (entry.end - entry.start) + 0.0)}});
  }
  return {{"kinetic", {{"start", number_or_null(ledger.kinetic_start)}, {"end", number_or_null(ledger.kinetic_end)}}},
          {"accounts", std::move(accounts)},
          {"input", number_or_null(ledger.input)},
          {"dissipation", number_or_null(ledger.dissipation)},
          {"projection", ledger.projects ? number_or_null(ledger.projection) : Json(nullptr)},
          {"integrator", number_or_null(ledger.integrator)},
          {"balance", number_or_null(ledger.projection + ledger.integrator)},
          {"balance_between_steps", number_or_null(ledger.balance_between)}};
}

namespace {

// With the motion there, in the order of "names" and "names_v", and the outputs of the model.
Json event_document(const EventRecord& event, const ConstrainedSystem& system) {
  State shown;
  system.report(event.state, shown);
  Vector values(system.outputs());
  system.evaluate_outputs(event.state, values);
  Json outputs = Json::object();
  for (std::size_t i = 0; i < system.description().outputs.size(); ++i)
    outputs[system.description().outputs[i]] = number_or_null(values[static_cast<Eigen::Index>(i)]);
  return {{"name", event.name},
          {"t", event.state.t},
          {"q", array_of(shown.q)},
          {"v", array_of(shown.v)},
          {"outputs", std::move(outputs)}};
}

}  // namespace

namespace {

// Bases of independent coordinates, with how many were chosen for which reason.
Json partitions_document(const std::optional<Partitions>& partitions) {
  if (!partitions) return nullptr;
  Json reasons = Json::object();
  for (int i = 0; i < partition_reasons; ++i)
    if (const long count = partitions->by_reason[static_cast<std::size_t>(i)]; count > 0)
      reasons[reason_text(static_cast<PartitionReason>(i))] = count;
  return {{"threshold", partitions->threshold}, {"count", partitions->count}, {"reasons", std::move(reasons)}};
}

}  // namespace

Json run_document(const RunRecord& record, const ConstrainedSystem& system, const Result& result) {
  const Statistics& work = result.statistics;
  const Quality& quality = result.quality;
  State end;
  system.report(result.end, end);
  Json outputs = Json::object();
  const std::vector<std::string> names = output_names(system);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    outputs[names[i]] = k < result.outputs.size() ? number_or_null(result.outputs[k]) : Json(nullptr);
  }
  Json singularities = Json::array();
  for (const PassedSingularity& passed : result.singularities)
    singularities.push_back({{"t", passed.t}, {"joints", passed.joints}});
  Json events = Json::array();
  for (const EventRecord& event : result.events) events.push_back(event_document(event, system));
  return {
      {"model", record.model},
      {"title", record.title},
      {"command", record.command},
      {"run", record.run},
      {"method", record.method},
      {"method_used", result.method},
      {"formulation", name_of(result.form)},
      {"rtol", record.tolerances.q.rtol},
      {"atol", record.tolerances.q.atol},
      {"tolerances", tolerances_of(record.tolerances)},
      {"tolerances_used", tolerances_of(result.tolerances)},
      {"status", status_name(result.termination)},
      {"message", result.message},
      {"warnings", result.warnings()},
      {"t_start", number_or_null(result.start.t)},
      {"t_end", number_or_null(end.t)},
      {"statistics",
       {{"steps", work.steps},
        {"accepted", work.accepted},
        {"rejected", work.rejected},
        {"evaluations", work.evaluations},
        {"jacobians", work.jacobians},
        {"factorizations", work.factorizations},
        {"cpu_seconds", work.cpu_seconds},
        {"preparation_seconds", work.preparation_seconds},
        {"recording_seconds", result.recording_seconds}}},
      {"quality",
       {{"position_residual", number_or_null(quality.position_residual)},
        {"velocity_residual", number_or_null(quality.velocity_residual)},
        {"energy_drift", number_or_null(quality.energy_drift)},
        {"scd", number_or_null(record.digits.scd)},
        {"mescd", number_or_null(record.digits.mescd)},
        {"scd_published", number_or_null(record.digits.scd_published)},
        {"mescd_published", number_or_null(record.digits.mescd_published)}}},
      {"names", system.reported().positions},
      {"names_v", system.reported().velocities},
      {"final",
       {{"t", number_or_null(end.t)},
        {"q", array_of(end.q)},
        {"v", array_of(end.v)},
        {"a", array_of(end.a)},
        {"lambda", array_of(end.lambda)}}},
      {"outputs", std::move(outputs)},
      {"events", std::move(events)},
      {"diagnosis", diagnosis_document(result.diagnosis)},
      {"ledger",
       system.accounts_for_energy() && result.ledger.is_known ? ledger_document(result.ledger) : Json(nullptr)},
      {"singular_poses", std::move(singularities)},
      {"partitions", partitions_document(result.partitions)},
      {"reactions", reactions_of(record.mobility.get(), result)},
      {"program", record.program},
  };
}

Json parsed_json(const std::string& text) {
  return Json::parse(text, nullptr, false);
}

std::string compact_text(const Json& document) {
  return document.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string text_of(const Json& document) {
  return escaped_for_json(document.dump(2, ' ', false, nlohmann::detail::error_handler_t::replace)) + "\n";
}

}  // namespace raak
