#include "cli/arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "base/error.h"
#include "base/text/text.h"
#include "system/equations/forms.h"

namespace raak::cli {
namespace {

constexpr double tightest_of_grid = 1e-15;  // below, every point is the same run at the limit of double precision
constexpr double most_samples = 1e7;
constexpr int most_points_a_decade = 100;

[[noreturn]] void refuse(const std::string& message) {
  throw Error(ErrorKind::request, message);
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

using ReadTolerance = double (*)(const std::string&);

// Calls set(kind, value) for each kind of variable that `text` names; a bare number counts for all.
void read_kinds(const std::string& option, const std::string& text, ReadTolerance read,
                const std::function<void(const std::string&, double)>& set) {
  std::vector<std::string> kinds{"q", "v", "lambda"};
  if (text.find('=') == std::string::npos) {
    const double value = read(text);
    for (const std::string& kind : kinds) set(kind, value);
    return;
  }
  if (read == read_atol) kinds.insert(kinds.end(), {"m", "rad", "m/s", "rad/s"});
  for (const std::string& part : split(text, ',')) {
    const auto [kind, value] = read_setting(option, part);
    if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) {
      refuse(option + ": " + unknown_name("kind of variable", kind, kinds));
    }
    const bool uncontrolled = kind == "lambda" && value == "inf" && read == read_atol;
    set(kind, uncontrolled ? std::numeric_limits<double>::infinity() : read(value));
  }
}

Tolerance& of_kind(Tolerances& tolerances, const std::string& kind) {
  if (kind == "q" || kind == "rad") return tolerances.q;
  return kind == "v" || kind == "rad/s" ? tolerances.v : tolerances.lambda;
}

}  // namespace

double read_number(std::string_view option, const std::string& text) {
  const auto value = parse_number(text);
  if (!value || !std::isfinite(*value)) {
    std::string with_point = text;  // 0,5 where commas part decimals
    std::replace(with_point.begin(), with_point.end(), ',', '.');
    const std::string hint =
        with_point != text && parse_number(with_point) ? fmt::format("; write {}", with_point) : "";
    refuse(fmt::format("{} expects a finite number, found \"{}\"{}", option, text, hint));
  }
  return *value;
}

double read_positive(std::string_view option, const std::string& text) {
  const double value = read_number(option, text);
  if (value <= 0.0) refuse(fmt::format("{} expects a number above 0, found \"{}\"", option, text));
  return value;
}

double read_rtol(const std::string& text) {
  const auto value = parse_number(text);
  if (!value || !(*value > 0.0 && *value <= 1.0)) {
    refuse(fmt::format(
        "--rtol expects a relative tolerance above 0, up to 1 (1e-6 is usual, 1e-12 is strict), found \"{}\"", text));
  }
  return *value;
}

double read_atol(const std::string& text) {
  const auto value = parse_number(text);
  if (!value || !std::isfinite(*value) || *value <= 0.0) {
    refuse(fmt::format("--atol expects an absolute tolerance above 0, in SI units, found \"{}\"", text));
  }
  return *value;
}

Tolerances read_tolerances(const std::optional<std::string>& rtol, const std::optional<std::string>& atol,
                           double default_rtol) {
  Tolerances tolerances = Tolerances::uniform(default_rtol, default_rtol);
  if (rtol) {
    read_kinds("--rtol", *rtol, read_rtol, [&](const std::string& kind, double value) {
      of_kind(tolerances, kind) = {value, value};
    });
  }
  if (atol) {
    read_kinds("--atol", *atol, read_atol, [&](const std::string& kind, double value) {
      if (kind == "m") tolerances.q.length_atol = value;
      else if (kind == "m/s") tolerances.v.length_atol = value;
      else of_kind(tolerances, kind).atol = value;
    });
  }
  return tolerances;
}

namespace {

// A multiple as a person writes it, 0.3 and not 0.30000000000000004: the last two digits of a product are rounding.
double decimal(double value) {
  return *parse_number(fmt::format("{:.15g}", value));
}

}  // namespace

std::vector<double> read_every(const std::string& text, double start, double until) {
  const double spacing = read_positive("--every", text);
  const double count = std::abs(until - start) / spacing;
  if (count > most_samples) {
    refuse(fmt::format("--every {} asks for {:.2g} samples; the limit is {:.0e}", text, count, most_samples));
  }
  // The last sample is `until` itself, also when rounding puts a multiple of the spacing a hair beside it.
  std::vector<double> times;
  const double direction = until < start ? -1.0 : 1.0;
  const long whole = std::max(1L, std::lround(std::ceil(count - 1e-9)));
  for (long i = 0; i < whole; ++i) times.push_back(decimal(start + direction * static_cast<double>(i) * spacing));
  times.push_back(until);
  return times;
}

std::vector<double> read_at(const std::string& text, double start, double until) {
  std::vector<double> times;
  for (const std::string& part : split(text, ',')) {
    const double t = read_number("--at", part);
    if (t < std::min(start, until) || t > std::max(start, until)) {
      refuse(fmt::format("--at {}: the time is outside the run, which goes from {} to {} s", part, start, until));
    }
    times.push_back(t);
  }
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  if (until < start) std::reverse(times.begin(), times.end());
  return times;
}

FirstStep read_first_step(const std::string& text) {
  constexpr std::string_view unit = "rtol", times = "*rtol";
  FirstStep step;
  const bool of_rtol = text.ends_with(times);
  const auto number =
      text == unit ? std::optional(1.0) : parse_number(of_rtol ? text.substr(0, text.size() - times.size()) : text);
  if (!number || !std::isfinite(*number) || *number <= 0.0)
    refuse(fmt::format(
        "--h0 expects a first step in s above 0 (1e-6), rtol, or a multiple of it (0.01*rtol), found \"{}\"", text));
  (of_rtol || text == unit ? step.of_rtol : step.seconds) = *number;
  return step;
}

Form read_form(const std::string& text) {
  if (const auto form = form_named(text)) return *form;
  refuse(unknown_name("form", text, form_names()));
}

std::vector<double> read_rtol_grid(const std::string& text) {
  const std::vector<std::string> parts = split(text, ':');
  if (parts.size() > 3) refuse(fmt::format("--rtol expects A:B or A:B:N, found \"{}\"", text));
  const double loosest = read_rtol(parts[0]);
  const double tightest = parts.size() > 1 ? read_rtol(parts[1]) : loosest;
  if (tightest > loosest) {
    refuse(fmt::format("--rtol goes from loose to tight: write {}:{}", parts[1], parts[0]));
  }
  if (tightest < tightest_of_grid) {
    refuse(
        fmt::format("--rtol {}: a grid ends at {:.0e}, since all below is integrated at the limit of double precision",
                    text, tightest_of_grid));
  }
  double a_decade = 2.0;
  if (parts.size() == 3) {
    const auto number = parse_number(parts[2]);
    if (!number || !(*number >= 1.0 && *number <= most_points_a_decade) || *number != std::floor(*number)) {
      refuse(fmt::format("--rtol {}: the points a decade are a whole number from 1 to {}, found \"{}\"", text,
                         most_points_a_decade, parts[2]));
    }
    a_decade = *number;
  }
  return rtol_grid(loosest, tightest, static_cast<int>(a_decade));
}

std::vector<std::string> read_words(std::string_view option, const std::string& text) {
  std::vector<std::string> words = split(text, ',');
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i].empty()) refuse(fmt::format("{} expects names between commas, found \"{}\"", option, text));
    if (std::find(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(i), words[i]) !=
        words.begin() + static_cast<std::ptrdiff_t>(i)) {
      refuse(fmt::format("{} names {} twice", option, words[i]));
    }
  }
  return words;
}

std::pair<std::string, std::string> read_setting(std::string_view option, const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
    refuse(fmt::format("{} expects NAME=VALUE, found \"{}\"", option, text));
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

std::vector<std::pair<std::string, std::string>> read_settings(const std::vector<std::string>& texts) {
  std::vector<std::pair<std::string, std::string>> settings;
  settings.reserve(texts.size());
  for (const std::string& text : texts) settings.push_back(read_setting("--set", text));
  return settings;
}

std::string shell_word(const std::string& word) {
  const std::string plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+.,:/@%^";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string command_text(int argc, const char* const* argv) {
  std::string text = "raak";
  for (int i = 1; i < argc; ++i) text += " " + shell_word(argv[i]);
  return text;
}

}  // namespace raak::cli
