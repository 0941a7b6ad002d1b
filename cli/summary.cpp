#include "cli/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace raak::cli {
namespace {

constexpr std::size_t most_table_rows = 12, most_outputs = 8, most_accounts = 4;

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

// What was used, and what was asked for where double precision cannot hold it.
std::string tolerance_text(const Tolerances& asked, const Tolerances& tolerances) {
  const auto same = [](const Tolerance& a, const Tolerance& b) { return a.rtol == b.rtol && a.atol == b.atol; };
  const auto one = [](const Tolerance& t) {
    return fmt::format("rtol {}, atol {}", exact_text(t.rtol), exact_text(t.atol));
  };
  std::string text = one(tolerances.q);
  if (!same(tolerances.q, tolerances.v)) text += "; v: " + one(tolerances.v);
  if (!same(tolerances.q, tolerances.lambda)) text += "; lambda: " + one(tolerances.lambda);
  if (asked.q.rtol != tolerances.q.rtol) text += fmt::format(" (rtol {} was asked for)", exact_text(asked.q.rtol));
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

// A few words to a line, so many at most.
std::string listed(const std::string& label, const std::vector<std::string>& words, std::size_t most) {
  constexpr std::size_t widest = 79;
  std::string text;
  std::string line = fmt::format("{:<15}", label);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool last = i + 1 == words.size() || i + 1 == most;
    const std::string word =
        words[i] + (i + 1 == most && i + 1 < words.size() ? fmt::format(" and {} more", words.size() - most)
                    : last                                ? ""
                                                          : ",");
    if (line.size() + word.size() > widest) {
      text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
      line = std::string(15, ' ');
    }
    line += word + (last ? "" : " ");
    if (last) break;
  }
  return words.empty() ? "" : text + line + "\n";
}

std::string outputs_line(const ConstrainedSystem& system, const Result& result) {
  std::vector<std::string> words;
  const std::vector<std::string>& names = system.description().outputs;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const double value = result.outputs[static_cast<Eigen::Index>(i)];
    words.push_back(std::isfinite(value) ? fmt::format("{} {:.8g}", names[i], value)
                                         : fmt::format("{} has no value", names[i]));
  }
  return listed("  outputs", words, most_outputs);
}

// Where the energy is, what put it in, what took it, and what nobody did: force by force.
std::string energy_account(const Result& result) {
  if (!std::isfinite(result.quality.energy_drift)) return "  energy       is not accounted for in this model\n";
  const Ledger& ledger = result.ledger;
  const auto totals = result.outputs.tail(4);
  std::string text = fmt::format("  energy       kinetic {:.5g} J, potential {:.5g} J, work put in {:.5g} J\n",
                                 totals[0], totals[1], totals[2]);
  const auto accounts = [&](const char* label, std::initializer_list<EnergyAccount::Kind> kinds) {
    std::vector<std::string> words;
    for (const Ledger::Entry& e : ledger.entries) {
      if (std::find(kinds.begin(), kinds.end(), e.account.kind) == kinds.end() || (e.start == 0.0 && e.end == 0.0))
        continue;
      words.push_back(e.account.kind == EnergyAccount::Kind::potential
                          ? fmt::format("{} {:.5g} J ({:+.5g})", e.account.name, e.end, e.end - e.start)
                          : fmt::format("{} {:.5g} J", e.account.name, e.end));
    }
    return listed(label, words, most_accounts);
  };
  using Kind = EnergyAccount::Kind;
  text += accounts("    stored", {Kind::potential});
  text += accounts("    put in", {Kind::input, Kind::driver});
  text += accounts("    dissipated", {Kind::dissipation});
  const std::string projection = ledger.projects ? fmt::format(", projection {:+.1e} J", ledger.projection) : "";
  return text + fmt::format("{:<15}balance kept within {:.1e} J; integrator {:+.1e} J{}\n", "",
                            result.quality.energy_drift, ledger.integrator, projection);
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
  text += fmt::format("  method       {}, {}, {}\n", method, result.form,
                      tolerance_text(record.tolerances, result.tolerances));
  text += fmt::format("  work         {} steps ({} rejected), {} evaluations, {} of CPU time\n", work.steps,
                      work.rejected, work.evaluations, duration(work.cpu_seconds));
  text += fmt::format("  at t = {} s\n", exact_text(result.end.t));
  text += coordinate_table(*chosen.model.system, result.end);
  text += outputs_line(*chosen.model.system, result);
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
