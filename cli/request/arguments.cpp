#include "cli/request/arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "base/error.h"
#include "base/text/text.h"
#include "run/run_request.h"
#include "system/equations/forms.h"

namespace raak::cli {
namespace {

constexpr double tightest_of_grid = 1e-15;  // below, every point is the same run at the limit of double precision
constexpr int most_points_a_decade = 100;

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
                           const Run& run) {
  Tolerances tolerances = Tolerances::uniform(run.rtol, run.atol.value_or(run.rtol));
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

std::vector<double> read_every(const std::string& text, double start, double until) {
  return times_every("--every " + text, read_positive("--every", text), start, until);
}

std::vector<double> read_at(const std::string& text, double start, double until) {
  std::vector<double> times;
  for (const std::string& part : split(text, ',')) times.push_back(read_number("--at", part));
  return times_at("--at", std::move(times), start, until);
}

FirstStep read_first_step(const std::string& text) {
  if (const auto step = parse_first_step(text)) return *step;
  refuse(fmt::format(
      "--h0 expects a first step in s above 0 (1e-6), rtol, or a multiple of it (0.01*rtol), found \"{}\"", text));
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
