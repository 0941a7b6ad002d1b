// Model files to start from: commented texts that run and pass their own check. A new one is a file in templates/, or a
// generator, and one line in the catalogue.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace raak {

struct TemplateInfo {
  std::string name, summary;
  long count = 0;                       // of a generator: how many parts by default; 0: it has no count
  long most = 0;                        // parts that a generator makes
  std::string (*make)(long) = nullptr;  // of a generator
};

const std::vector<TemplateInfo>& template_catalogue();
std::vector<std::string> template_names();
// Refuses an unknown name with the nearest one.
const TemplateInfo& find_template(const std::string& name);

// The text of the model file. Refuses a count that the template does not have or cannot make.
std::string template_text(const TemplateInfo& chosen, const std::optional<long>& count);

}  // namespace raak
