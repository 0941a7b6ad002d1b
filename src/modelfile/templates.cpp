#include "modelfile/templates.h"

#include <fmt/format.h>

#include <map>
#include <string_view>

#include "base/error.h"
#include "base/text/text.h"
#include "modelfile/templates/generators.h"

namespace raak {

namespace embedded {
const std::map<std::string_view, std::string_view>& template_files();
}

const std::vector<TemplateInfo>& template_catalogue() {
  static const std::vector<TemplateInfo> catalogue{
      {"pendulum", "a rod that swings: one body, one hinge, the shortest complete file"},
      {"four-bar", "crank, coupler and rocker with a motor of constant speed: loops, drivers, outputs"},
      {"slider-crank", "crank, rod and piston from rest: torque, spring, damper, events"},
      {"robot-arm", "three hinges in space, each moved to its goal"},
      {"stewart",
       "a platform on six legs in space, whose motors let it rise and turn: universal joints, slides, balls"},
      {"n-four-bar", "N four-bar linkages in a row (IFToMM benchmark A02), which pass singular configurations", 2,
       10000, n_four_bar_file},
      {"chain", "N rods of 1 kg and 1 m, hinged end to end, released from the horizontal", 10, 100000, chain_file},
      {"arm", "N rods of 1 kg and 1 m in space, on hinges whose axes alternate, released from the horizontal", 7, 10000,
       arm_file},
  };
  return catalogue;
}

std::vector<std::string> template_names() {
  std::vector<std::string> names;
  for (const TemplateInfo& info : template_catalogue()) names.push_back(info.name);
  return names;
}

const TemplateInfo& find_template(const std::string& name) {
  for (const TemplateInfo& info : template_catalogue())
    if (info.name == name) return info;
  refuse(unknown_name("template", name, template_names()));
}

std::string template_text(const TemplateInfo& chosen, const std::optional<long>& count) {
  if (chosen.make == nullptr) {
    if (count) throw Error(ErrorKind::request, fmt::format("the template \"{}\" has no --count", chosen.name));
    return std::string(embedded::template_files().at(chosen.name + ".toml"));
  }
  const long parts = count.value_or(chosen.count);
  if (parts < 1 || parts > chosen.most) {
    throw Error(ErrorKind::request,
                fmt::format("--count expects a whole number from 1 to {}, found {}", chosen.most, parts));
  }
  return chosen.make(parts);
}

}  // namespace raak
