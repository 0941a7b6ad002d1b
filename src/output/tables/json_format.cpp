// Tables as JSON (RFC 8259): {"columns": [..], "units": [..], "rows": [[..], ..]}, a line for each row; of a table that
// no run wrote, more beside them. Numbers round-trip exactly; what is not finite is null.
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/text/text.h"
#include "output/catalogue.h"
#include "output/folder/partial_file.h"
#include "output/formats/json.h"

namespace raak {
namespace {

class JsonWriter final : public TableWriter {
 public:
  explicit JsonWriter(std::filesystem::path path) : file_(std::move(path)) {}

  void begin(const TableRows& table) override {
    file_.write("{\"columns\": " + line_of(table.names()) + ",\n\"units\": " + line_of(table.units()) +
                ",\n\"rows\": [");
  }
  void rows(std::size_t first, const std::vector<std::vector<double>>& columns) override {
    std::string text;
    for (std::size_t row = 0; row < columns.front().size(); ++row) {
      text += first + row == 0 ? "\n[" : ",\n[";
      for (std::size_t i = 0; i < columns.size(); ++i) {
        if (i > 0) text += ',';
        append(text, columns[i][row]);
      }
      text += ']';
    }
    file_.write(text);
  }
  void finish(const Companions& companions) override {
    file_.write("\n]");
    if (companions.more != nullptr)
      for (const auto& [name, value] : companions.more->items())
        file_.write(",\n\"" + name + "\": " + compact_text(value));
    file_.write("}\n");
    file_.seal();
  }

 private:
  static std::string line_of(const std::vector<std::string>& words) { return compact_text(words); }
  static void append(std::string& text, double number) {
    if (!std::isfinite(number)) {
      text += "null";
      return;
    }
    char digits[32];
    text.append(digits, write_exactly(digits, number));
  }

  PartialFile file_;
};

}  // namespace

FormatInfo json_format() {
  return {.name = "json",
          .summary =
              "the same columns as JSON: names, units and rows; run.json, which every run writes, has what was "
              "asked, how it ended, statistics, quality, energy ledger and the final state",
          .files = {"result.json", "run.json"},
          .make = make_writer<JsonWriter>,
          .least_bytes = 2.0,
          .usual_bytes = 19.0};
}

}  // namespace raak
