// `raak modes`: eigenfrequencies, damping ratios and shapes of a mechanism about its equilibrium or a moment of its
// motion.
#include "study/modes/modes.h"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <numbers>

#include "base/error.h"
#include "base/text/text.h"
#include "cli/commands/commands.h"
#include "cli/interrupt.h"
#include "cli/request/arguments.h"
#include "cli/request/chosen_model.h"
#include "cli/terminal/table.h"
#include "cli/terminal/terminal.h"
#include "kinematics/slow/free_vibrations.h"
#include "output/folder/folder.h"
#include "study/modes/modes_document.h"
#include "study/modes/modes_page.h"

namespace raak::cli {
namespace {

int read_count(const std::string& text) {
  constexpr double most = 100000.0;
  const double count = read_number("--count", text);
  if (!(count >= 1.0) || count > most || count != std::floor(count))
    throw Error(ErrorKind::request,
                fmt::format("--count {}: expected a whole number of modes from 1 to {:.0f}", text, most));
  return static_cast<int>(count);
}

std::string remark_of(const Mode& mode) {
  switch (mode.kind) {
    case Mode::Kind::rigid:
      return "rigid: nothing holds it";
    case Mode::Kind::overdamped:
      return fmt::format("overdamped: dies out at {:.4g} 1/s", -mode.s.real());
    case Mode::Kind::unstable:
      return fmt::format("unstable: grows at {:.4g} 1/s", mode.s.real());
    case Mode::Kind::vibration:
      break;
  }
  return "";
}

std::string table_of(const ChosenModel& chosen, const Modes& found) {
  Table table({{"mode"},
               {"omega, rad/s"},
               {"frequency, Hz", false, 1},
               {"period, s", false, 2},
               {"damping ratio"},
               {"", true, 3},
               {"moves most", true, 4}},
              "  ");
  int number = 0;
  for (const Mode& mode : found.modes) {
    const bool swings = mode.kind != Mode::Kind::rigid && mode.s.imag() != 0.0;
    const std::string carriers = carriers_of(*chosen.model.system, found.t, found.q, mode.x.real());
    table.add({std::to_string(++number), fmt::format("{:.9g}", mode.omega()), fmt::format("{:.7g}", mode.frequency()),
               swings ? fmt::format("{:.7g}", 2.0 * std::numbers::pi / mode.s.imag()) : "-",
               swings || mode.kind != Mode::Kind::rigid ? fmt::format("{:.4g}", mode.damping()) : "-", remark_of(mode),
               carriers});
  }
  return table.text(output_columns());
}

std::string about(const Modes& found, bool at) {
  const std::string held = fmt::format("drivers held at t = {:.6g} s", found.t);
  if (!at)
    return (found.steps == 0 ? "the start, a static equilibrium; " : "the static equilibrium near the start; ") + held;
  return fmt::format("the configuration at t = {:.6g} s{}, rates zero; {}", found.t,
                     found.equilibrium ? ", an equilibrium" : "", held);
}

std::string account(const ChosenModel& chosen, const Modes& found, bool at) {
  std::string text = heading(chosen.source->name, chosen.source->title);
  text += fmt::format("  about        {}\n", about(found, at));
  const auto shown = static_cast<Eigen::Index>(found.modes.size());
  text += fmt::format("  freedoms     {}{}\n", found.freedoms,
                      found.freedoms == 0 ? ": nothing can move, so there are no modes"
                      : shown < found.freedoms
                          ? fmt::format("; {} (--count N for more)",
                                        shown == 1 ? "the slowest mode" : fmt::format("the {} slowest modes", shown))
                          : "");
  if (!chosen.model.modes_note.empty()) text += fmt::format("  note         {}\n", chosen.model.modes_note);
  return text;
}

}  // namespace

int modes(const ModesOptions& options) {
  ModesRequest request;
  if (options.count) request.count = read_count(*options.count);
  if (options.at) request.at = read_number("--at", *options.at);
  const ChosenModel chosen = choose_model(options.model, default_method);
  const std::unique_ptr<OutputFolder> folder =
      options.out ? std::make_unique<OutputFolder>(*options.out, "modes.json") : nullptr;
  request.stop = &listen_for_interrupt();
  const Modes found = find_modes(chosen.model, request);
  const Json document = modes_document(program_name(), chosen.source->name, chosen.source->title, chosen.model, found);
  if (options.json) {
    print_data(text_of(document));
  } else {
    print_styled(account(chosen, found, options.at.has_value()));
    if (!found.modes.empty()) print_text(table_of(chosen, found));
  }
  if (folder) {
    folder->write("modes.json", text_of(document));
    const std::string page = modes_page(document, about(found, options.at.has_value()), chosen.model, found);
    if (!page.empty()) folder->write("modes.html", page);
    if (!options.json) print_path((folder->path() / (page.empty() ? "modes.json" : "modes.html")).string());
  }
  return 0;
}

}  // namespace raak::cli
