#include "study/modes/modes_document.h"

#include <nlohmann/json.hpp>

namespace raak {
namespace {

Json named(const std::vector<std::string>& names, const Vector& values) {
  Json entries = Json::object();
  for (std::size_t i = 0; i < names.size(); ++i)
    entries[names[i]] = number_or_null(values[static_cast<Eigen::Index>(i)] + 0.0);  // no -0
  return entries;
}

}  // namespace

Json modes_document(const std::string& program, const std::string& name, const std::string& title, const Model& model,
                    const Modes& modes) {
  const ReportedNames& names = model.system->reported();
  Json list = Json::array();
  for (const Mode& mode : modes.modes) {
    Json entry{{"omega", mode.omega()},
               {"frequency_hz", mode.frequency()},
               {"damping", mode.damping()},
               {"kind", kind_name(mode.kind)},
               {"eigenvalue", {mode.s.real() + 0.0, mode.s.imag() + 0.0}},
               {"shape", named(names.velocities, mode.shape)}};
    if (mode.quadrature.size() > 0) entry["quadrature"] = named(names.velocities, mode.quadrature);
    list.push_back(std::move(entry));
  }
  State at = State::of_size(model.system->coordinates(), model.system->rows()), shown;
  at.t = modes.t;
  at.q = modes.q;
  model.system->report_motion(at, shown);
  return {{"model", name},
          {"title", title},
          {"program", program},
          {"status", "ok"},
          {"t", modes.t},
          {"equilibrium", modes.equilibrium},
          {"freedoms", modes.freedoms},
          {"note", model.modes_note},
          {"modes", list},
          {"configuration", named(names.positions, shown.q)}};
}

}  // namespace raak
