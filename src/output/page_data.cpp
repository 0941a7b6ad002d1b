#include "output/page_data.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>

#include "base/error.h"
#include "output/folder/stored_file.h"
#include "output/formats/json.h"

namespace raak {

namespace embedded {
std::string_view report_page();  // written by web/build.mjs; empty without the web part
}

namespace {

constexpr std::string_view data_mark = "@@RAAK_DATA@@";

template <class Number>
std::string base64(std::span<const Number> numbers) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto bytes = std::as_bytes(numbers);
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t left = std::min<std::size_t>(3, bytes.size() - i);
    unsigned group = 0;
    for (std::size_t k = 0; k < 3; ++k) group = group << 8 | (k < left ? static_cast<unsigned>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k) text += k <= left ? digits[group >> (18 - 6 * k) & 63U] : '=';
  }
  return text;
}

template <class Number>
std::string base64(const std::vector<Number>& numbers) {
  return base64(std::span<const Number>(numbers));
}

// Rows of numbers column by column in single precision, which is more than a screen shows. What runs away goes beyond
// it: such a column is divided by a power of two, which the data says.
struct Columns {
  std::vector<float> values;
  Json scales = Json::object();  // by the place of the column

  Columns(const std::vector<double>& rows, std::size_t columns, std::size_t first) {
    const std::size_t count = columns > 0 ? rows.size() / columns : 0;
    values.reserve(rows.size());
    for (std::size_t column = first; column < columns; ++column) {
      double largest = 0.0;
      for (std::size_t row = 0; row < count; ++row) {
        const double size = std::abs(rows[row * columns + column]);
        if (std::isfinite(size)) largest = std::max(largest, size);
      }
      const int excess =
          std::max(0, std::ilogb(std::max(largest, 1.0)) - (std::numeric_limits<float>::max_exponent - 2));
      const double scale = std::ldexp(1.0, excess);
      if (excess > 0) scales[std::to_string(column - first)] = scale;
      for (std::size_t row = 0; row < count; ++row)
        values.push_back(static_cast<float>(rows[row * columns + column] / scale));
    }
  }
};

}  // namespace

// Time as it is.
Json frames_document(const Recording& recording) {
  const std::size_t columns = recording.columns.size(), rows = recording.frame_count();
  std::vector<double> times;
  for (std::size_t row = 0; row < rows; ++row) times.push_back(recording.frames[row * columns]);
  const Columns shown(recording.frames, columns, 1);
  const Columns ledger(recording.accounts, rows > 0 ? recording.accounts.size() / rows : 0, 0);
  return {{"count", rows},
          {"t", base64(times)},
          {"values", base64(shown.values)},
          {"scales", shown.scales},
          {"points", base64(recording.points)},
          {"accounts", base64(ledger.values)},
          {"account_scales", ledger.scales}};
}

Json bands_document(const Bands& bands) {
  const Columns low(bands.lows, bands.columns.size(), 0), high(bands.highs, bands.columns.size(), 0);
  return {{"t", base64(bands.t)},     {"columns", bands.columns},    {"low", base64(low.values)},
          {"low_scales", low.scales}, {"high", base64(high.values)}, {"high_scales", high.scales}};
}

std::string steps_document(const std::vector<double>& steps) {
  return base64(steps);
}

bool has_page() {
  return !embedded::report_page().empty();
}

void require_page() {
  if (!has_page())
    throw Error(ErrorKind::request, "this raak was built without its web part: build it with npm at hand (see README)");
}

std::string page_with(const Json& data) {
  const std::string text = compact_text(data);
  const std::string_view page = embedded::report_page();
  const std::size_t mark = page.find(data_mark);
  std::string result;
  result.reserve(page.size() + text.size());
  result += page.substr(0, mark);
  for (const char c : text) {
    if (c == '<') result += "\\u003c";  // nothing in the data can end the script that holds it
    else result += c;
  }
  return result.append(page.substr(mark + data_mark.size()));
}

bool is_page_of_ours(const std::filesystem::path& file) {
  constexpr std::size_t begin = 1000;
  std::ifstream stream = open_stored(file);
  std::string text(begin, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(begin));
  return text.find("<meta name=\"generator\" content=\"raak\">") != std::string::npos;
}

}  // namespace raak
