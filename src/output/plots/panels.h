// Which curves share an axis: those of one unit whose sizes are alike. What is small has a panel of its own instead of
// lying flat behind what is large. The report has the same rule (web/src/charts/panels.ts).
#pragma once
#include <string>
#include <vector>

#include "output/plots/plot_range.h"

namespace raak {

struct PanelEntry {
  std::string unit;
  ValueRange range;  // as shown
};

// Places of the entries, panel by panel in the order of their first. In a panel each curve spans at least a fifth of
// the axis; where that takes more than eight panels, less.
std::vector<std::vector<std::size_t>> share_panels(const std::vector<PanelEntry>& entries);

}  // namespace raak
