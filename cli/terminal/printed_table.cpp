#include "cli/terminal/printed_table.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/terminal/table.h"
#include "cli/terminal/terminal.h"

namespace raak::cli {
namespace {

// As many digits as a document of the eighties prints, with the sign of what rounds to 0 left out.
std::string number(double value, int digits) {
  return std::isnan(value) ? "-" : fmt::format("{:.{}g}", value + 0.0, digits);
}

std::string difference(double found, double printed) {
  constexpr double rounding = 1e-14;
  if (std::isnan(found - printed)) return "-";
  return std::abs(found - printed) < rounding ? "0" : fmt::format("{:+.1e}", found - printed);
}

// q, v, a, lambda, now: what stands before the first dot.
std::string kind_of(const std::string& name) {
  return name.substr(0, name.find('.'));
}

}  // namespace

std::string columns_text(const PrintedTable& table) {
  Table text({{"", true}, {"Raak - printed"}, {"at t / s"}, {"printed", false, 1}, {"Raak", false, 1}}, "  ");
  for (const PrintedColumn& column : table.columns) {
    const std::size_t i = column.worst();
    text.add({column.name, difference(column.found[i], column.printed[i]), number(table.t[i], 6),
              number(column.printed[i], 4), number(column.found[i], 6)});
  }
  std::string head = fmt::format("beside {}, {} times up to t = {} s: the largest difference of each column\n",
                                 table.source, table.t.size(), number(table.t.back(), 6));
  return head + text.text(output_columns()) + "  why: " + table.remark + "\n";
}

std::string rows_text(const PrintedTable& table) {
  std::string all = fmt::format("{} beside Raak\n", table.source);
  for (std::size_t first = 0; first < table.columns.size();) {
    std::size_t end = first;
    while (end < table.columns.size() && kind_of(table.columns[end].name) == kind_of(table.columns[first].name)) ++end;
    std::vector<Column> head{{"t / s"}};
    for (std::size_t c = first; c < end; ++c)
      head.insert(head.end(), {{table.columns[c].name}, {"Raak", false, 1}, {"diff"}});
    Table block(head, "  ");
    for (std::size_t i = 0; i < table.t.size(); ++i) {
      std::vector<std::string> cells{number(table.t[i], 6)};
      for (std::size_t c = first; c < end; ++c) {
        const PrintedColumn& column = table.columns[c];
        cells.insert(cells.end(), {number(column.printed[i], 4), number(column.found[i], 6),
                                   difference(column.found[i], column.printed[i])});
      }
      block.add(cells);
    }
    all += block.text(output_columns());
    first = end;
  }
  return all;
}

Json printed_document(const PrintedTable& table) {
  Json columns = Json::array();
  for (const PrintedColumn& column : table.columns) {
    const std::size_t worst = column.worst();
    Json printed = Json::array(), found = Json::array();
    for (std::size_t i = 0; i < table.t.size(); ++i) {
      printed.push_back(number_or_null(column.printed[i]));
      found.push_back(number_or_null(column.found[i]));
    }
    columns.push_back({{"name", column.name},
                       {"largest_difference", number_or_null(std::abs(column.found[worst] - column.printed[worst]))},
                       {"t_largest", number_or_null(table.t[worst])},
                       {"printed", std::move(printed)},
                       {"found", std::move(found)}});
  }
  return {{"source", table.source}, {"remark", table.remark}, {"t", table.t}, {"columns", std::move(columns)}};
}

}  // namespace raak::cli
