#include "output/catalogue.h"

#include "base/error.h"
#include "base/text/text.h"

namespace raak {

#define FORMAT(name) FormatInfo name##_format();
#include "output/tables.def"
#undef FORMAT

const std::vector<FormatInfo>& format_catalogue() {
  static const std::vector<FormatInfo> formats{
#define FORMAT(name) name##_format(),
#include "output/tables.def"
#undef FORMAT
      {"html", "the moving mechanism, plots, accuracy and how to repeat the run, in one file", {"report.html"}},
      {"svg", "a quantity over time, for run --plot A", {"A.svg"}},
      {"png", "the same in pixels", {"A.png"}},
  };
  return formats;
}

const Formats& table_formats() {
  static const Formats tables = [] {
    Formats found;
    for (const FormatInfo& format : format_catalogue())
      if (format.make != nullptr) found.push_back(&format);
    return found;
  }();
  return tables;
}

std::vector<std::string> table_format_names() {
  std::vector<std::string> names;
  for (const FormatInfo* format : table_formats()) names.push_back(format->name);
  return names;
}

Formats chosen_formats(const std::vector<std::string>& names) {
  for (const std::string& name : names)
    if (!holds(table_format_names(), name))
      throw Error(ErrorKind::request, unknown_name("format of tables", name, table_format_names()));
  Formats chosen;
  for (const FormatInfo* format : table_formats())
    if (names.empty() ? format->by_default : holds(names, format->name)) chosen.push_back(format);
  for (const FormatInfo* format : chosen)
    if (format->require != nullptr) format->require();
  return chosen;
}

const FormatInfo& journal_format() {
  return *table_formats().front();
}

}  // namespace raak
