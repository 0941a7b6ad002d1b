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

}  // namespace

std::string coordinate_table(const std::vector<std::string>& names, const State& state) {
  std::string text = fmt::format("    {:<10}{:>22}{:>22}\n", "", "position q", "velocity v");
  const std::size_t shown = std::min(names.size(), most_table_rows);
  for (std::size_t i = 0; i < shown; ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    text += fmt::format("    {:<10}{:>22.14g}{:>22.14g}\n", names[i], state.q[k], state.v[k]);
  }
  if (shown < names.size()) text += fmt::format("    and {} more\n", names.size() - shown);
  return text;
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
  text += coordinate_table(chosen.model.system->description().coordinates, result.end);
  text += fmt::format("  constraints  violated by at most {:.1e} (position), {:.1e} (velocity)\n",
                      result.quality.position_residual, result.quality.velocity_residual);
  text += energy_account(result);
  text += digits(record.digits.scd, record.digits.mescd, "trusted");
  text += digits(record.digits.scd_published, record.digits.mescd_published, "published");
  return text;
}

}  // namespace raak::cli
