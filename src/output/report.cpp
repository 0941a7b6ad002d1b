#include "output/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "output/file_marks.h"
#include "output/npy.h"
#include "output/thinning.h"
#include "output/zip_reader.h"

namespace raak {

namespace embedded {
std::string_view report_page();  // written by web/build.mjs; empty without the web part
}

namespace {

namespace fs = std::filesystem;

constexpr std::string_view data_mark = "@@RAAK_DATA@@";

[[noreturn]] void refuse(const std::string& message) {
  throw Error(ErrorKind::request, message);
}

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
// it: such a column is divided by a power of two, which is told.
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

Json parse_object(const std::string& text, const std::string& where) {
  Json document = Json::parse(text, nullptr, false);
  if (!document.is_object()) refuse(fmt::format("\"{}\" is damaged: it is no JSON document", where));
  return document;
}

template <class Number>
std::vector<Number> array_in(const ZipReader& archive, const std::string& name, const fs::path& file) {
  std::vector<Number> values;
  if (archive.find(name) == nullptr || !read_npy(archive.read(name), values)) {
    refuse(fmt::format("\"{}\" is damaged: the array \"{}\" is missing or broken", file.string(), name));
  }
  return values;
}

bool fits(const Bands& bands, std::size_t columns) {
  const std::size_t numbers = bands.t.size() * bands.columns.size();
  return bands.lows.size() == numbers && bands.highs.size() == numbers &&
         std::all_of(bands.columns.begin(), bands.columns.end(), [&](std::size_t c) { return c < columns; });
}

// Sizes that do not fit would show a wrong picture, which is worse than none.
void require_sizes(const Recording& recording, const Json& about, const fs::path& file) {
  const std::size_t columns = recording.columns.size(), rows = recording.frame_count();
  const Json& drawing = about.at("drawing");
  const std::size_t numbers = drawing.at("points").size() * drawing.at("dimension").get<std::size_t>();
  const bool drawn = !recording.points.empty();
  const std::size_t accounts = about.contains("accounts") ? about.at("accounts").size() : 0;
  if (columns == 0 || recording.frames.size() != rows * columns ||
      (!recording.accounts.empty() && recording.accounts.size() != rows * accounts) ||
      (drawn && recording.points.size() != rows * numbers) || recording.steps.size() % StepLog::columns != 0 ||
      !fits(recording.bands, columns + accounts)) {
    refuse(fmt::format("\"{}\" is damaged: its arrays do not fit each other", file.string()));
  }
}

}  // namespace

bool has_report() {
  return !embedded::report_page().empty();
}

std::string report_page(Json document, Json about, Recording recording) {
  document.erase("files");  // of the folder, which a page need not have
  thin_out(document, about, recording);
  const Json data{{"run", document},
                  {"about", about},
                  {"frames", frames_document(recording)},
                  {"bands", bands_document(recording.bands)},
                  {"steps", base64(recording.steps)}};
  const std::string text = data.dump(-1, ' ', false, nlohmann::detail::error_handler_t::replace);
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

std::string report_of_folder(const fs::path& folder) {
  if (!has_report()) refuse("this raak was built without its web part: build it with npm at hand (see README)");
  std::error_code unreadable;
  if (!fs::is_directory(folder, unreadable)) {
    refuse(fmt::format("\"{}\" is no folder; name the --out folder of an earlier raak run", folder.string()));
  }
  const fs::path document_file = folder / "run.json", arrays_file = folder / "result.npz";
  const Json document = read_run_document(folder);
  const std::string model = word_of(document, "model");
  require_arrays(folder, document);
  const ZipReader archive(arrays_file);
  if (archive.find("report.json") == nullptr)
    refuse(fmt::format("\"{}\" was not written by raak run", arrays_file.string()));
  const Json about = parse_object(archive.read("report.json"), arrays_file.string());
  if (word_of(about, "model") != model || word_of(about, "command") != word_of(document, "command")) {
    refuse(fmt::format("\"{}\" holds results of {} ({}), but \"{}\" tells of {} ({}): files of two runs are mixed",
                       arrays_file.string(), word_of(about, "model"), word_of(about, "command"), document_file.string(),
                       model, word_of(document, "command")));
  }
  require_one_run(folder, document);
  Recording recording;
  try {
    recording.columns = about.at("columns").get<std::vector<std::string>>();
    recording.units = about.value("units", std::vector<std::string>());
    recording.frames = array_in<double>(archive, "frames.npy", arrays_file);
    recording.points = array_in<float>(archive, "frames.points.npy", arrays_file);
    recording.steps = array_in<double>(archive, "steps.npy", arrays_file);
    if (archive.find("frames.accounts.npy") != nullptr)
      recording.accounts = array_in<double>(archive, "frames.accounts.npy", arrays_file);
    if (about.contains("bands")) recording.bands.columns = about.at("bands").get<std::vector<std::size_t>>();
    if (!recording.bands.empty()) {
      recording.bands.t = array_in<double>(archive, "bands.t.npy", arrays_file);
      recording.bands.lows = array_in<double>(archive, "bands.low.npy", arrays_file);
      recording.bands.highs = array_in<double>(archive, "bands.high.npy", arrays_file);
    }
    require_sizes(recording, about, arrays_file);
  } catch (const nlohmann::json::exception&) {
    refuse(fmt::format("\"{}\" is damaged: report.json in it lacks entries", arrays_file.string()));
  }
  return report_page(document, about, std::move(recording));
}

}  // namespace raak
