#include "output/plots/plot_request.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/text/text.h"
#include "output/column_choice.h"

namespace raak {
namespace {

constexpr std::size_t most_panels_asked_for = 60;

class Reader {
 public:
  Reader(const std::vector<std::string>& columns, const std::vector<std::string>& units, const std::string& option)
      : columns_(columns), units_(units), option_(option) {}

  PlotRequest take(const std::string& text) {
    read(text, false);
    if (made_.each && made_.columns.size() > most_panels_asked_for)
      refuse(fmt::format("\"{}\" would take {} panels, and a picture has room for {}; name fewer quantities", text,
                         made_.columns.size(), most_panels_asked_for));
    return made_;
  }

 private:
  [[noreturn]] void refuse(const std::string& message) const {
    throw Error(ErrorKind::request, option_ + ": " + message);
  }

  std::string unit_of(const std::string& column) const {
    const auto place = static_cast<std::size_t>(std::find(columns_.begin(), columns_.end(), column) - columns_.begin());
    return place < units_.size() ? units_[place] : "";
  }

  // What stands in `name(...)`, if that is the whole text.
  static bool is_call(const std::string& text, const std::string& name, std::string& inner) {
    if (!text.starts_with(name + "(") || !text.ends_with(")")) return false;
    int depth = 0;
    for (std::size_t i = name.size(); i < text.size(); ++i) {
      if (text[i] == '(') ++depth;
      else if (text[i] == ')' && --depth == 0 && i + 1 < text.size()) return false;
    }
    inner = text.substr(name.size() + 1, text.size() - name.size() - 2);
    return depth == 0;
  }

  // The parts between plus signs outside of parentheses.
  static std::vector<std::string> terms_of(const std::string& text) {
    std::vector<std::string> terms(1);
    int depth = 0;
    for (const char c : text) {
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      if (c == '+' && depth == 0) terms.emplace_back();
      else terms.back() += c;
    }
    return terms;
  }

  void read(const std::string& text, bool modulo) {
    // A name is one even if it looks like a sum or a function.
    const std::vector<std::string> found = named_columns(text, columns_);
    std::string inner;
    if (!found.empty()) return add(found, modulo, text);
    if (is_call(text, "mod", inner)) return read(inner, true);
    if (is_call(text, "each", inner)) {
      made_.each = true;
      return read(inner, modulo);
    }
    if (is_call(text, "full", inner)) {
      made_.full = true;
      return read(inner, modulo);
    }
    const std::vector<std::string> terms = terms_of(text);
    if (terms.size() == 1) refuse_name(text);
    for (const std::string& term : terms) read(term, modulo);
  }

  void add(const std::vector<std::string>& found, bool modulo, const std::string& text) {
    const auto folds = [&](const std::string& column) { return modulo && unit_of(column) == "rad"; };
    if (modulo && std::none_of(found.begin(), found.end(), folds)) {
      const std::string unit = unit_of(found.front());
      refuse(fmt::format("mod() takes angles modulo 2 pi, and \"{}\" {}", text,
                         found.size() > 1 ? "has none"
                         : unit.empty()   ? "is not known to be one"
                                          : "is in " + unit));
    }
    for (const std::string& column : found) {
      if (holds(made_.columns, column)) continue;
      made_.columns.push_back(column);
      made_.modulo.push_back(folds(column));
    }
  }

  [[noreturn]] void refuse_name(const std::string& name) const {
    const std::size_t bracket = name.find('(');
    if (bracket != std::string::npos && name.ends_with(")"))
      refuse(unknown_name("function", name.substr(0, bracket), {"mod", "each", "full"}));
    refuse(unknown_column(name, columns_));
  }

  const std::vector<std::string>& columns_;
  const std::vector<std::string>& units_;
  const std::string& option_;
  PlotRequest made_;
};

}  // namespace

PlotRequest read_plot(const std::string& text, const std::vector<std::string>& columns,
                      const std::vector<std::string>& units, const std::string& option) {
  return Reader(columns, units, option).take(text);
}

}  // namespace raak
