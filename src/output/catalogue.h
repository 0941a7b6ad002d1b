// The formats in which a run's results are written.
#pragma once
#include <string>
#include <vector>

namespace raak {

struct FormatInfo {
  std::string name;
  std::string summary;
  std::vector<std::string> files;  // as they are called in the --out folder
};

const std::vector<FormatInfo>& format_catalogue();

}  // namespace raak
