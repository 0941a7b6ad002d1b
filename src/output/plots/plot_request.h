// What an entry of `--plot` asks for: a picture of a quantity (`beta`, `F.x`), of a kind (`q`, `lambda`), of several
// (`q3+q4`), with angles modulo 2 pi (`mod(q)`), a panel for each (`each(q)`), or the whole range of what diverges
// (`full(q)`).
#pragma once
#include <string>
#include <vector>

namespace raak {

struct PlotRequest {
  std::vector<std::string> columns;  // each once
  std::vector<bool> modulo;          // of each: drawn modulo 2 pi
  bool each = false, full = false;
};

// The columns of result.csv with their units, as many; units may be empty. Refuses an unknown name with the nearest;
// `option` is the one that the user typed.
PlotRequest read_plot(const std::string& text, const std::vector<std::string>& columns,
                      const std::vector<std::string>& units, const std::string& option = "--plot");

}  // namespace raak
