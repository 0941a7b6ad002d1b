// Known values of the benchmark problems: trusted ones from the embedded files references/*.csv (columns t, name,
// value; quad-precision solutions, 25 digits; of a printed table, its digits), published ones as printed in the
// documents that define the problems.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "kinematics/model.h"

namespace raak {

// Which components count, by the beginning of their names: "q." or "lambda.".
struct Counted {
  std::vector<std::string> scored;    // for scd
  std::vector<std::string> measured;  // for mescd
};

using ValuesByTime = std::map<double, std::map<std::string, double>>;  // and by component

// A header, then rows of time, name and value; the name of the file is for messages.
ValuesByTime values_of_reference(std::string_view text, std::string_view file);

// Of one embedded file.
ValuesByTime read_reference(std::string_view file);

Reference trusted_reference(std::string_view file, double required_scd, const Counted& counted);

// A table as a document prints it, at many times. `remark`: why its values differ from the trusted ones.
Reference printed_table(std::string source, std::string_view file, std::string remark, const Counted& counted);

Reference published_reference(std::string source, double t, std::map<std::string, double> values,
                              const Counted& counted);

}  // namespace raak
