#include "kinematics/model.h"

#include "base/error.h"
#include "base/text/text.h"

namespace raak {

const Run& find_run(const ModelSource& source, const std::optional<std::string>& name) {
  if (!name) return source.runs.front();
  std::vector<std::string> names;
  for (const Run& run : source.runs) {
    if (run.name == *name) return run;
    names.push_back(run.name);
  }
  throw Error(ErrorKind::request, unknown_name("run of " + source.name, *name, names));
}

}  // namespace raak
