#include "base/text/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <unordered_set>
#include <utility>

#include "base/text/some_of.h"
#include "base/text/visible_text.h"

namespace raak {
namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// Of edits; letters that differ in their case only are the same.
std::size_t distance(std::string_view a, std::string_view b) {
  const std::size_t columns = b.size() + 1;
  std::vector<std::size_t> table((a.size() + 1) * columns);
  const auto at = [&](std::size_t i, std::size_t j) -> std::size_t& { return table[i * columns + j]; };
  for (std::size_t i = 0; i <= a.size(); ++i) at(i, 0) = i;
  for (std::size_t j = 0; j <= b.size(); ++j) at(0, j) = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1;
      at(i, j) = std::min({at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + change});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) at(i, j) = std::min(at(i, j), at(i - 2, j - 2) + 1);
    }
  }
  return at(a.size(), b.size());
}

std::string in_small_letters(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

constexpr std::size_t most_listed = 40;  // names in a message
constexpr std::size_t longest_typed =
    100;  // letters of a name that somebody mistyped: the distance takes their product

}  // namespace

std::optional<std::string> nearest_name(std::string_view name, const std::vector<std::string>& candidates) {
  std::optional<std::string> best;
  // By letters first, and by their case among names of the same letters.
  const std::size_t farthest = name.size() < 2 ? 0 : std::max<std::size_t>(1, name.size() / 2);
  std::pair best_distance{farthest + 1, std::size_t{0}};
  if (name.size() > longest_typed) return best;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > 2 * longest_typed) continue;
    const bool extends = name.size() >= 3 && candidate.starts_with(name);
    const std::pair d{extends ? 1 : distance(in_small_letters(name), in_small_letters(candidate)),
                      distance(name, candidate)};
    if (d < best_distance) {
      best_distance = d;
      best = candidate;
    }
  }
  return best;
}

std::string unknown_name(std::string_view kind, std::string_view name, const std::vector<std::string>& given) {
  std::vector<std::string> candidates;  // a name may be there twice, as "y" that a body gives to an axis of its own
  std::unordered_set<std::string_view> seen;
  for (const std::string& candidate : given)
    if (seen.insert(candidate).second) candidates.push_back(candidate);
  std::string text = "no " + std::string(kind) + " is called \"" + cut_short(name) + "\"";
  if (candidates.empty()) return text + "; there is none";
  if (const auto near = nearest_name(name, candidates)) text += "; did you mean \"" + *near + "\"?";
  else text += ".";
  return text + " There are: " + some_of(candidates, most_listed);
}

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string join(const std::vector<std::string>& words, std::string_view separator) {
  std::string text;
  for (const std::string& word : words) {
    if (&word != &words.front()) text += separator;
    text += word;
  }
  return text;
}

std::optional<double> parse_number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0.0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || error != std::errc{} || rest != end) return std::nullopt;
  return value;
}

char* write_exactly(char* to, double value) {
  constexpr std::size_t room = 32;
  const double size = std::abs(value);
  if (size >= 1e-4 && size < 1e16) return std::to_chars(to, to + room, value, std::chars_format::fixed).ptr;
  return std::to_chars(to, to + room, value).ptr;
}

std::string exact_text(double value) {
  if (std::isnan(value)) return "nan";  // its sign means nothing
  std::array<char, 32> buffer{};
  return {buffer.data(), write_exactly(buffer.data(), value)};
}

}  // namespace raak
