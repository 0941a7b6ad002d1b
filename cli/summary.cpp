#include "cli/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace raak::cli {
namespace {

constexpr std::size_t most_table_rows = 12;

std::string duration(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.0f} us", 1e6 * seconds);
  if (seconds < 1.0) return fmt::format("{:.3g} ms", 1e3 * seconds);
  return fmt::format("{:.3g} s", seconds);
}

std::string digits(const std::optional<double>& scd, const std::optional<double>& mescd, const char* reference) {
  if (!scd && !mescd) return "";
  std::vector<std::string> counts;
  if (scd) counts.push_back(fmt::format("scd {:.2f}", *scd));
  if (mescd) counts.push_back(fmt::format("mescd {:.2f}", *mescd));
  return fmt::format("  digits       {} against the {} reference\n", join(counts), reference);
}

std::string tolerance_text(const Tolerances& tolerances) {
  const auto same = [](const Tolerance& a, const Tolerance& b) { return a.rtol == b.rtol && a.atol == b.atol; };
  const auto one = [](const Tolerance& t) {
    return fmt::format("rtol {}, atol {}", exact_text(t.rtol), exact_text(t.atol));
  };
  std::string text = one(tolerances.q);
  if (!same(tolerances.q, tolerances.v)) text += "; v: " + one(tolerances.v);
  if (!same(tolerances.q, tolerances.lambda)) text += "; lambda: " + one(tolerances.lambda);
  return text;
}

std::string ending(const Result& result, double until) {
  switch (result.termination) {
    case Termination::ok:
      return "";
    case Termination::failed:
      return fmt::format(" of {} s: FAILED, the results are partial", exact_text(until));
    case Termination::interrupted:
      return fmt::format(" of {} s: INTERRUPTED, the results are partial", exact_text(until));
  }
  return "";
}

// The last four outputs are the ledger: kinetic, potential, work put in, and what is left over.
std::string energy_account(const Result& result) {
  if (!std::isfinite(result.quality.energy_drift)) return "  energy       is not accounted for in this model\n";
  std::string text;
  if (result.outputs.size() >= 4) {
    const auto ledger = result.outputs.tail(4);
    text = fmt::format("  energy       kinetic {:.5g} J, potential {:.5g} J, work put in {:.5g} J\n", ledger[0],
                       ledger[1], ledger[2]);
  }
  return text + fmt::format("{:<15}balance kept within {:.1e} J\n", text.empty() ? "  energy" : "",
                            result.quality.energy_drift);
}

std::string poses_text(const std::vector<PassedPose>& poses) {
  std::vector<std::string> times;
  for (std::size_t i = 0; i < poses.size() && i < 6; ++i) times.push_back(fmt::format("{:.6g}", poses[i].t));
  if (poses.size() > times.size()) times.push_back(fmt::format("and {} more", poses.size() - times.size()));
  return fmt::format("  singular     poses passed at t = {} s; dependent there: {}\n", join(times),
                     join(poses.front().joints));
}

}  // namespace

std::string coordinate_table(const ConstrainedSystem& system, const State& state) {
  const ReportedNames& names = system.reported();
  State shown;
  system.report(state, shown);
  std::size_t width = 10;
  for (const auto* list : {&names.positions, &names.velocities})
    for (const std::string& name : *list) width = std::max(width, name.size() + 2);
  const auto rows = [&](const std::vector<std::string>& list, auto&& columns) {
    std::string text;
    const std::size_t most = std::min(list.size(), most_table_rows);
    for (std::size_t i = 0; i < most; ++i)
      text += fmt::format("    {:<{}}{}\n", list[i], width, columns(static_cast<Eigen::Index>(i)));
    if (most < list.size()) text += fmt::format("    and {} more\n", list.size() - most);
    return text;
  };
  if (names.positions == names.velocities) {
    return fmt::format("    {:<{}}{:>22}{:>22}\n", "", width, "position q", "velocity v") +
           rows(names.positions,
                [&](Eigen::Index i) { return fmt::format("{:>22.14g}{:>22.14g}", shown.q[i], shown.v[i]); });
  }
  return fmt::format("    {:<{}}{:>22}\n", "", width, "position q") +
         rows(names.positions, [&](Eigen::Index i) { return fmt::format("{:>22.14g}", shown.q[i]); }) +
         fmt::format("    {:<{}}{:>22}\n", "", width, "velocity v") +
         rows(names.velocities, [&](Eigen::Index i) { return fmt::format("{:>22.14g}", shown.v[i]); });
}

std::string summarize(const ChosenModel& chosen, const RunRecord& record, double until, const Result& result) {
  const Statistics& work = result.statistics;
  const std::string method =
      record.method == result.method ? result.method : result.method + " (" + record.method + ")";
  std::string text = fmt::format("{}: {}\n", record.model, chosen.source->title);
  text += fmt::format("  run          {}, t = {} to {} s{}\n", record.run, exact_text(result.start.t),
                      exact_text(result.end.t), ending(result, until));
  text += fmt::format("  method       {}, {}, {}\n", method, result.form, tolerance_text(record.tolerances));
  text += fmt::format("  work         {} steps ({} rejected), {} evaluations, {} of CPU time\n", work.steps,
                      work.rejected, work.evaluations, duration(work.cpu_seconds));
  text += fmt::format("  at t = {} s\n", exact_text(result.end.t));
  text += coordinate_table(*chosen.model.system, result.end);
  for (std::size_t i = 0; i < result.events.size() && i < most_table_rows; ++i)
    text += fmt::format("  event        {} at t = {} s\n", result.events[i].name, exact_text(result.events[i].state.t));
  if (result.events.size() > most_table_rows)
    text += fmt::format("  event        and {} more\n", result.events.size() - most_table_rows);
  if (!result.poses.empty()) text += poses_text(result.poses);
  text += fmt::format("  constraints  violated by at most {:.1e} (position), {:.1e} (velocity)\n",
                      result.quality.position_residual, result.quality.velocity_residual);
  text += energy_account(result);
  text += digits(record.digits.scd, record.digits.mescd, "trusted");
  text += digits(record.digits.scd_published, record.digits.mescd_published, "published");
  return text;
}

}  // namespace raak::cli
