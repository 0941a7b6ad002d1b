#include "output/plots/panels.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace raak {
namespace {

constexpr std::size_t most_shared_panels = 8;
constexpr double usual_share = 0.2, least_share = 1e-3, constant_share = 1e-9;

struct SharedPanel {
  std::string unit;
  ValueRange range;
  double smallest = std::numeric_limits<double>::infinity();  // span of those that move
  std::vector<std::size_t> members;

  bool only_constants() const { return std::isinf(smallest); }
};

// Constants, to within rounding errors of the largest value of their unit, take the room that others leave.
std::vector<bool> find_constants(const std::vector<PanelEntry>& entries) {
  std::map<std::string, double> sizes;
  for (const PanelEntry& entry : entries)
    if (entry.range.low <= entry.range.high)
      sizes[entry.unit] = std::max({sizes[entry.unit], std::abs(entry.range.low), std::abs(entry.range.high)});
  std::vector<bool> constant;
  for (const PanelEntry& entry : entries) constant.push_back(entry.range.span() <= constant_share * sizes[entry.unit]);
  return constant;
}

std::vector<SharedPanel> with_share(const std::vector<PanelEntry>& entries, const std::vector<bool>& constant,
                                    double least) {
  std::vector<std::size_t> order(entries.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto span = [&](std::size_t i) { return constant[i] ? -1.0 : entries[i].range.span(); };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return span(a) > span(b); });
  std::vector<SharedPanel> panels;
  for (const std::size_t i : order) {
    const auto takes = [&](const SharedPanel& panel) {
      ValueRange together = panel.range;
      together.reach(entries[i].range);
      const double smallest = constant[i] ? panel.smallest : std::min(panel.smallest, span(i));
      return panel.unit == entries[i].unit &&
             (panel.only_constants() ? constant[i] : smallest >= least * together.span());
    };
    auto place = std::find_if(panels.begin(), panels.end(), takes);
    if (place == panels.end()) {
      place = panels.emplace(place);
      place->unit = entries[i].unit;
    }
    place->range.reach(entries[i].range);
    if (!constant[i]) place->smallest = std::min(place->smallest, span(i));
    place->members.push_back(i);
  }
  return panels;
}

}  // namespace

std::vector<std::vector<std::size_t>> share_panels(const std::vector<PanelEntry>& entries) {
  const std::vector<bool> constant = find_constants(entries);
  std::vector<SharedPanel> panels = with_share(entries, constant, usual_share);
  for (double least = 0.5 * usual_share; panels.size() > most_shared_panels; least *= 0.5) {
    const bool last = least < least_share;
    panels = with_share(entries, constant, last ? 0.0 : least);
    if (last) break;
  }
  std::vector<std::vector<std::size_t>> shared;
  for (SharedPanel& panel : panels) {
    std::sort(panel.members.begin(), panel.members.end());
    shared.push_back(std::move(panel.members));
  }
  std::sort(shared.begin(), shared.end());
  return shared;
}

}  // namespace raak
