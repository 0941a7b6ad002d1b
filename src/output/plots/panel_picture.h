// Curves over time in panels below each other, each with an axis of its own: small multiples.
#pragma once
#include <string>
#include <vector>

#include "output/plots/picture.h"
#include "output/plots/plot_curve.h"

namespace raak {

struct Panel {
  std::string quantity, unit;  // for its axis: `quantity / unit`
  std::vector<Curve> curves;
  bool named = true;  // its curves have names beside it
  bool full = false;  // shows what diverges as well
};

// The looks of curves follow each other through all panels, unless `alike`: then through each.
Picture panel_picture(const std::string& title, const std::vector<Panel>& panels, bool alike);

}  // namespace raak
