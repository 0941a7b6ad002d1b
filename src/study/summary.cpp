#include "study/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text/text.h"
#include "base/text/visible_text.h"
#include "base/text/wrap.h"

namespace raak {
namespace {

constexpr std::size_t screen_lines = 23, screen_columns = 80;  // of the usual 24 the last is for what is typed next
constexpr std::size_t fewest_table_lines = 3, most_table_lines = 16;

std::string cpu_time(double seconds) {
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
  const auto same = [](const Tolerance& a, const Tolerance& b) {
    return a.rtol == b.rtol && a.atol == b.atol && a.length_atol == b.length_atol;
  };
  const auto one = [](const Tolerance& t) {
    return fmt::format("rtol {}, atol {}{}", exact_text(t.rtol), exact_text(t.atol),
                       t.length_atol > 0.0 ? fmt::format(" (of lengths {})", exact_text(t.length_atol)) : "");
  };
  std::string text = one(tolerances.q);
  if (!same(tolerances.q, tolerances.v)) text += "; v: " + one(tolerances.v);
  if (!same(tolerances.q, tolerances.lambda)) text += "; lambda: " + one(tolerances.lambda);
  if (asked.q.rtol != tolerances.q.rtol) text += fmt::format(" (rtol {} was asked for)", exact_text(asked.q.rtol));
  return text;
}

// Where a run ended; of one that did not reach its end, to what matters of it.
std::string end_text(const Result& result) {
  return result.termination == Termination::ok ? exact_text(result.end.t) : fmt::format("{:.9g}", result.end.t);
}

std::string ending(const Result& result, double until) {
  switch (result.termination) {
    case Termination::ok:
      return "";
    case Termination::failed:
      return fmt::format(" of {} s: FAILED, results partial", exact_text(until));
    case Termination::interrupted:
      return fmt::format(" of {} s: INTERRUPTED, results partial", exact_text(until));
  }
  return "";
}

// As many words to a line as fit, and so many lines at most.
std::string listed(const std::string& label, const std::vector<std::string>& words, std::size_t most_lines) {
  if (words.empty()) return "";
  const auto rest = [&](std::size_t from) { return fmt::format("and {} more", words.size() - from); };
  std::string text, line = fmt::format("{:<15}", label);
  std::size_t lines = 1, on_line = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool last = i + 1 == words.size();
    const std::string word = words[i] + (last ? "" : ", ");
    const std::size_t tail = lines == most_lines && !last ? rest(i + 1).size() : 0;
    if (on_line > 0 && line.size() + word.size() + tail > screen_columns) {
      if (lines == most_lines) return text + line + rest(i) + "\n";
      text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
      line = std::string(15, ' ');
      ++lines;
      on_line = 0;
    }
    line += word;
    ++on_line;
  }
  return text + line + "\n";
}

std::string outputs_line(const ConstrainedSystem& system, const Result& result, std::size_t most_lines) {
  std::vector<std::string> words;
  const std::vector<std::string>& names = system.description().outputs;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const double value = result.outputs[static_cast<Eigen::Index>(i)];
    words.push_back(std::isnan(value) ? fmt::format("{} nan", names[i]) : fmt::format("{} {:.8g}", names[i], value));
  }
  return listed("  outputs", words, most_lines);
}

// Where the energy is, work input, dissipation and numerical errors: force by force.
std::string energy_account(const Result& result, std::size_t most_lines) {
  if (!result.ledger.is_known) return "  energy       was not looked at\n";
  if (!std::isfinite(result.quality.energy_drift)) return "  energy       is not accounted for in this model\n";
  const Ledger& ledger = result.ledger;
  const auto totals = energies_of(result.outputs);
  std::string text = fmt::format("  energy       kinetic {:.5g} J, potential {:.5g} J, work input {:.5g} J{}\n",
                                 totals[0], totals[1] + 0.0, totals[2] + 0.0,  // no -0
                                 totals[3] != 0.0 ? fmt::format(", dissipated {:.5g} J", totals[3]) : "");
  const auto accounts = [&](const char* label, std::initializer_list<EnergyAccount::Kind> kinds) {
    std::vector<std::string> words;
    for (const Ledger::Entry& e : ledger.entries) {
      if (std::find(kinds.begin(), kinds.end(), e.account.kind) == kinds.end() || (e.start == 0.0 && e.end == 0.0))
        continue;
      words.push_back(e.account.kind == EnergyAccount::Kind::potential
                          ? fmt::format("{} {:.5g} J ({:+.5g})", e.account.name, e.end, e.end - e.start)
                      : e.account.kind == EnergyAccount::Kind::dissipation
                          ? fmt::format("{} {:.5g} J", e.account.name, -e.end)
                          : fmt::format("{} {:.5g} J", e.account.name, e.end));
    }
    return listed(label, words, most_lines);
  };
  using Kind = EnergyAccount::Kind;
  text += accounts("    stored", {Kind::potential});
  text += accounts("    work input", {Kind::input, Kind::driver});
  text += accounts("    dissipated", {Kind::dissipation});
  // Of what grew beyond all measure the balance is the rounding of huge numbers, which says nothing of the run.
  if (result.diagnosis && result.diagnosis->runs_off())
    return text + fmt::format("{:<15}not meaningful: energies diverge\n", "    balance");
  const std::string projection = ledger.projects ? fmt::format(", projection {:+.1e} J", ledger.projection) : "";
  const std::string between =
      std::isfinite(ledger.balance_between) ? fmt::format(", {:.1e} J between", ledger.balance_between) : "";
  return text +
         fmt::format("{:<15}energy error at most {:.1e} J (at step ends){}\n", "    balance",
                     result.quality.energy_drift, between) +
         fmt::format("{:<15}integration {:+.1e} J{}\n", "    errors", ledger.integrator, projection);
}

std::string events_text(const std::vector<EventRecord>& events, std::size_t most_lines) {
  std::vector<std::string> words;
  for (const EventRecord& event : events) words.push_back(fmt::format("{} at t = {:.9g} s", event.name, event.state.t));
  return listed(events.size() == 1 ? "  event" : "  events", words, most_lines);
}

std::string singularities_text(const std::vector<PassedSingularity>& singularities, std::size_t most_lines) {
  if (singularities.empty()) return "";
  std::vector<std::string> times;
  for (std::size_t i = 0; i < singularities.size() && i < 6; ++i)
    times.push_back(fmt::format("{:.6g}", singularities[i].t));
  if (singularities.size() > times.size())
    times.push_back(fmt::format("and {} more", singularities.size() - times.size()));
  std::vector<std::string> words{fmt::format("configurations passed at t = {} s; dependent there: ", join(times))};
  const std::vector<std::string>& joints = singularities.front().joints;
  if (!joints.empty()) words.front() += joints.front();
  for (std::size_t i = 1; i < joints.size(); ++i) words.push_back(joints[i]);
  return listed("  singular", words, most_lines);
}

// Bases of independent coordinates by singular value decomposition.
std::string partitions_text(const std::optional<Partitions>& partitions, std::size_t most_lines) {
  if (!partitions || partitions->count < 2) return "";
  std::vector<std::string> words;
  for (int i = 0; i < partition_reasons; ++i)
    if (const long count = partitions->by_reason[static_cast<std::size_t>(i)]; count > 0)
      words.push_back(fmt::format("{} {}", count, reason_text(static_cast<PartitionReason>(i))));
  words.insert(words.begin(),
               fmt::format("{} with threshold {}", partitions->count, exact_text(partitions->threshold)));
  return listed("  bases", words, most_lines);
}

std::string redundancy_text(const MobilityReport* mobility, std::size_t most_lines) {
  if (mobility == nullptr || mobility->sharing.empty() || mobility->rows <= mobility->rank) return "";
  std::vector<std::string> words{fmt::format("{} of {} constraint rows; no unique reactions: {}",
                                             mobility->rows - mobility->rank, mobility->rows,
                                             mobility->sharing.front())};
  words.insert(words.end(), mobility->sharing.begin() + 1, mobility->sharing.end());
  return listed("  redundant", words, most_lines);
}

// In so many lines, those that name the columns included; no -0.
std::string coordinate_table(const ConstrainedSystem& system, const State& state, std::size_t lines) {
  const ReportedNames& names = system.reported();
  State shown;
  system.report_motion(state, shown);
  std::size_t width = 10;
  for (const auto* list : {&names.positions, &names.velocities})
    for (const std::string& name : *list) width = std::max(width, name.size() + 2);
  const auto rows = [&](const std::vector<std::string>& list, std::size_t room, auto&& columns) {
    std::string text;
    const std::size_t most = list.size() <= room ? list.size() : room > 1 ? room - 1 : 0;
    for (std::size_t i = 0; i < most; ++i)
      text += fmt::format("    {:<{}}{}\n", list[i], width, columns(static_cast<Eigen::Index>(i)));
    if (most < list.size()) text += fmt::format("    and {} more\n", list.size() - most);
    return text;
  };
  if (names.positions == names.velocities) {
    return fmt::format("    {:<{}}{:>22}{:>22}\n", "", width, "position q", "velocity v") +
           rows(names.positions, lines - 1, [&](Eigen::Index i) {
             return fmt::format("{:>22.14g}{:>22.14g}", shown.q[i] + 0.0, shown.v[i] + 0.0);
           });
  }
  const std::size_t half = std::max<std::size_t>(2, lines / 2);
  return fmt::format("    {:<{}}{:>22}\n", "", width, "position q") +
         rows(names.positions, half - 1, [&](Eigen::Index i) { return fmt::format("{:>22.14g}", shown.q[i] + 0.0); }) +
         fmt::format("    {:<{}}{:>22}\n", "", width, "velocity v") +
         rows(names.velocities, half - 1, [&](Eigen::Index i) { return fmt::format("{:>22.14g}", shown.v[i] + 0.0); });
}

}  // namespace

std::size_t screen_lines_of(const std::string& text) {
  const std::string wrapped = wrap(text, screen_columns);
  return static_cast<std::size_t>(std::count(wrapped.begin(), wrapped.end(), '\n'));
}

std::string heading(const std::string& name, const std::string& title) {
  constexpr std::size_t longest_title = 200;
  return visible_line(name) + ": " + visible_line(cut_short(title, longest_title)) + "\n";
}

std::string summarize(const Model& model, const RunRecord& record, double until, const Result& result,
                      std::size_t lines_beside) {
  const Statistics& work = result.statistics;
  const ConstrainedSystem& system = *model.system;
  const std::string method =
      record.method == result.method ? result.method : result.method + " (" + record.method + ")";
  std::string head = heading(record.model, record.title);
  head += fmt::format("  run          {}, t = {} to {} s{}\n", record.run, exact_text(result.start.t), end_text(result),
                      ending(result, until));
  head += fmt::format("  method       {}, {}, {}\n", method, name_of(result.form),
                      tolerance_text(record.tolerances, result.tolerances));
  head += fmt::format("  work         {} steps ({} rejected), {} evaluations\n", work.steps, work.rejected,
                      work.evaluations);
  const std::string times =
      fmt::format("  CPU time     {} integrating, {} recording, {} preparing\n", cpu_time(work.cpu_seconds),
                  cpu_time(result.recording_seconds), cpu_time(work.preparation_seconds));
  const std::string moment = fmt::format("  at t = {} s\n", end_text(result));
  const auto tail_of = [&](std::size_t most_lines) {
    std::string tail = outputs_line(system, result, most_lines);
    tail += events_text(result.events, most_lines);
    tail += singularities_text(result.singularities, most_lines);
    tail += partitions_text(result.partitions, most_lines);
    tail += redundancy_text(model.mobility.get(), most_lines);
    if (result.ledger.is_known)
      tail += fmt::format("  constraints  violated by at most {:.1e} (position), {:.1e} (velocity)\n",
                          result.quality.position_residual, result.quality.velocity_residual);
    else tail += "  constraints  were not looked at\n";
    tail += energy_account(result, most_lines);
    tail += digits(record.digits.scd, record.digits.mescd, "trusted");
    return tail + digits(record.digits.scd_published, record.digits.mescd_published, "published");
  };
  // What is left of the screen is for the coordinates; lists are cut shorter before they are.
  const std::size_t taken = screen_lines_of(head + times + moment) + lines_beside;
  const std::size_t wanted = std::min<std::size_t>(2 * system.reported().positions.size() + 2, 8);
  std::string tail;
  for (const std::size_t most_lines : {4U, 2U, 1U}) {
    tail = tail_of(most_lines);
    if (taken + screen_lines_of(tail) + wanted <= screen_lines) break;
  }
  std::size_t used = taken + screen_lines_of(tail);
  const bool shows_times = used + fewest_table_lines <= screen_lines;
  if (shows_times) head += times;
  else used -= screen_lines_of(times);
  const std::size_t left = used < screen_lines ? screen_lines - used : 0;
  return head + moment + coordinate_table(system, result.end, std::clamp(left, fewest_table_lines, most_table_lines)) +
         tail;
}

}  // namespace raak
