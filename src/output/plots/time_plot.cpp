#include "output/plots/time_plot.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "output/plots/panel_picture.h"
#include "output/plots/panels.h"

namespace raak {
namespace {

std::vector<std::vector<std::size_t>> panels_of(const std::vector<Curve>& curves, const PlotRequest& request) {
  std::vector<std::vector<std::size_t>> shared;
  if (request.each) {
    for (std::size_t i = 0; i < curves.size(); ++i) shared.push_back({i});
    return shared;
  }
  std::vector<PanelEntry> entries;
  for (const Curve& curve : curves) {
    const View view = default_view(curve);
    const bool turns = curve.modulo && leaves_its_turn(curve);
    ValueRange range = request.full ? view.all : view.shown;
    if (curve.modulo && range.low <= range.high) {
      const double shift = folded(range.low) - range.low;
      range = {range.low + shift, range.high + shift};
    }
    const std::string unit = curve.powers ? "powers of " + curve.unit : turns ? "turn" : curve.unit;
    entries.push_back({unit, turns ? ValueRange{-std::numbers::pi, std::numbers::pi} : range});
  }
  return share_panels(entries);
}

// A name, or what the names have in common: `q` of q.x and q.y.
std::string quantity_of(const std::vector<Curve>& curves) {
  const std::string& name = curves.front().name;
  if (curves.size() == 1) return name;
  const std::string kind = name.substr(0, name.find('.'));
  const bool common =
      std::all_of(curves.begin(), curves.end(), [&](const Curve& curve) { return curve.name.starts_with(kind + "."); });
  return common ? kind : "value";
}

}  // namespace

bool has_values(const PlotRequest& request, const Recording& recording) {
  return std::any_of(request.columns.begin(), request.columns.end(), [&](const std::string& column) {
    const std::vector<double> values = curve_of(column, recording).values;
    return std::any_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
  });
}

Picture time_plot(const std::string& name, const std::string& model, const Recording& recording) {
  const PlotRequest request = read_plot(name, recording.columns, recording.units);
  std::vector<Curve> curves;
  for (std::size_t i = 0; i < request.columns.size(); ++i) {
    curves.push_back(curve_of(request.columns[i], recording));
    curves.back().modulo = request.modulo[i];
    if (request.columns[i].starts_with("violation.")) curves.back() = powers_of(curves.back());
  }
  const bool several = curves.size() > 1;
  const std::vector<std::vector<std::size_t>> shared = panels_of(curves, request);
  const bool named = shared.size() < curves.size();  // else the axes name them
  std::vector<Panel> panels;
  for (const std::vector<std::size_t>& members : shared) {
    const Curve& first = curves[members.front()];
    Panel panel{"", first.unit, {}, named, request.full || first.powers};
    for (const std::size_t member : members) panel.curves.push_back(curves[member]);
    panel.quantity = quantity_of(panel.curves);
    panels.push_back(std::move(panel));
  }
  return panel_picture(model + ": " + (several ? name : request.columns.front()), panels, request.each);
}

std::string plot_file_name(const std::string& name) {
  std::string safe;
  for (const char c : name) {
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-';
    if (plain) safe += c;
    else if (c != ')') safe += c == '(' || c == '+' ? '-' : '_';
  }
  return safe;
}

}  // namespace raak
