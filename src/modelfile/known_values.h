// Known values of a solution under the names that users write: what each name stands for among the results of a run.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "base/text/place.h"
#include "kinematics/model.h"

namespace raak {

// Whether a name is that of a multiplier: lambda.K.
bool is_multiplier(const std::string& name, const ReportedNames& names);

// A reference whose values have names as written becomes one of components: a coordinate, its rate, an output, or a
// component as such. `names`: with their places; refuses the unknown ones with the nearest.
Reference resolve(const Reference& written, const std::vector<std::pair<std::string, Place>>& names,
                  const ConstrainedSystem& system);

// The file of `--against` as a reference of a run from `start` to `until`, whose times must lie within it.
Reference read_history(const std::string& path, const ConstrainedSystem& system, double start, const Run& run);

}  // namespace raak
