#include "modelfile/text/node.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <sstream>

#include "base/text/text.h"
#include "base/text/visible_text.h"

namespace raak {
namespace {

Place place_from(const toml::source_region& source) {
  return {source.path ? *source.path : "", static_cast<int>(source.begin.line), static_cast<int>(source.begin.column)};
}

}  // namespace

Place place_of(const toml::node& node) {
  return place_from(node.source());
}

Place place_of(const toml::key& key, const std::string& file) {
  Place place = place_from(key.source());
  if (place.file.empty()) place.file = file;
  return place;
}

std::string found_text(const toml::node& node) {
  if (const auto* text = node.as_string()) return "the string \"" + cut_short(text->get()) + "\"";
  if (const auto* whole = node.as_integer()) return "the number " + std::to_string(whole->get());
  if (const auto* number = node.as_floating_point()) return "the number " + exact_text(number->get());
  if (const auto* truth = node.as_boolean()) return truth->get() ? "true" : "false";
  if (const auto* array = node.as_array()) return fmt::format("an array of {}", array->size());
  if (node.is_table()) return "a table";
  return "a date or time";
}

void refuse_type(const toml::node& node, const std::string& expected) {
  refuse_at(place_of(node), "expected " + expected + ", found " + found_text(node));
}

std::vector<Member> members_of(const toml::table& table) {
  std::vector<Member> members;
  members.reserve(table.size());
  for (const auto& [key, value] : table)
    members.push_back({std::string(key.str()), place_of(key, place_of(value).file), &value});
  std::stable_sort(members.begin(), members.end(), [](const Member& a, const Member& b) {
    return std::tie(a.place.line, a.place.column) < std::tie(b.place.line, b.place.column);
  });
  return members;
}

std::vector<Member> known_members(const toml::table& table, const std::string& of,
                                  const std::vector<std::string>& known) {
  std::vector<Member> members = members_of(table);
  for (const Member& member : members)
    if (std::find(known.begin(), known.end(), member.name) == known.end())
      refuse_at(member.place, unknown_name("key of " + of, member.name, known));
  return members;
}

const toml::table& as_table(const toml::node& node, const std::string& what) {
  if (!node.is_table()) refuse_type(node, "a table for " + what);
  return *node.as_table();
}

std::string as_text(const toml::node& node, const std::string& what) {
  if (!node.is_string()) refuse_type(node, "a string for " + what);
  return node.as_string()->get();
}

double as_number(const toml::node& node, const std::string& what) {
  const auto value = node.is_number() ? node.value<double>() : std::nullopt;
  if (!value || !std::isfinite(*value)) refuse_type(node, "a finite number for " + what);
  return *value;
}

std::string as_choice(const toml::node& node, const std::string& what, const std::vector<std::string>& choices) {
  std::string text = as_text(node, what);
  if (std::find(choices.begin(), choices.end(), text) == choices.end())
    refuse_at(place_of(node), unknown_name(what, text, choices));
  return text;
}

Quantity as_quantity(const toml::node& node, const std::string& what, const std::vector<std::string>& hyphenated) {
  const Place place = place_of(node);
  if (const auto* text = node.as_string()) {
    Quantity quantity{Expression(), place, true};
    try {
      quantity.value = Expression::parse(text->get(), hyphenated);
    } catch (const ExpressionError& error) {
      Place where = place;
      where.column += 1 + static_cast<int>(error.offset());
      refuse_at(where, error.what());
    }
    return quantity;
  }
  if (!node.is_number()) refuse_type(node, "a number or an expression for " + what);
  return {Expression(as_number(node, what)), place, false};
}

std::vector<Quantity> as_quantities(const toml::node& node, const std::string& what, std::size_t length,
                                    bool single_too) {
  const auto* array = node.as_array();
  if (array == nullptr) {
    if (single_too) return {as_quantity(node, what)};
    refuse_type(node, length == 0 ? "an array of numbers for " + what
                                  : fmt::format("an array of {} numbers for {}", length, what));
  }
  if (length != 0 && array->size() != length)
    refuse_type(node, fmt::format("an array of {} numbers for {}", length, what));
  std::vector<Quantity> result;
  for (const toml::node& entry : *array) result.push_back(as_quantity(entry, what));
  return result;
}

std::vector<std::pair<std::string, Place>> as_texts(const toml::node& node, const std::string& what) {
  if (node.is_string()) return {{node.as_string()->get(), place_of(node)}};
  const auto* array = node.as_array();
  if (array == nullptr) refuse_type(node, "an array of strings for " + what);
  std::vector<std::pair<std::string, Place>> result;
  for (const toml::node& entry : *array) result.emplace_back(as_text(entry, what), place_of(entry));
  return result;
}

namespace {

// "a joint", "an event"
std::string with_article(const std::string& what) {
  constexpr std::string_view vowels = "aeiou";
  return (vowels.find(what.front()) != std::string_view::npos ? "an " : "a ") + what;
}

// Names become columns of tables, keys of documents and words of messages, often several in one.
void check_length(const std::string& name, const Place& place, const std::string& what) {
  constexpr std::size_t longest = 255;  // bytes, as of a file name
  if (name.size() > longest)
    refuse_at(place, fmt::format("expected a name of at most {} bytes for {}, found \"{}\"", longest,
                                 with_article(what), cut_short(name)));
}

}  // namespace

void check_name(const std::string& name, const Place& place, const std::string& what, bool hyphen) {
  check_length(name, place, what);
  const auto letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; };
  bool good = !name.empty() && letter(name.front());
  for (const char c : name)
    good = good && (letter(c) || std::isdigit(static_cast<unsigned char>(c)) || (hyphen && c == '-'));
  if (!good)
    refuse_at(place,
              fmt::format("the name of {} consists of letters, digits{} and _ and begins with a letter, found \"{}\"",
                          with_article(what), hyphen ? ", -" : "", name));
}

void check_output_name(const std::string& name, const Place& place) {
  check_length(name, place, "output");
  constexpr std::array taken{"t", "q", "v", "a", "lambda", "energy", "violation", "frames", "steps"};
  if (std::find(taken.begin(), taken.end(), name) != taken.end() || name.starts_with("energy.") ||
      name.starts_with("violation.") || name.starts_with("frames."))
    refuse_at(place, fmt::format("\"{}\" is a result of every run and cannot be an output; call it otherwise", name));
  if (name.empty() || name.find_first_of(",\"") != std::string::npos || visible_line(name) != name)
    refuse_at(place,
              fmt::format("expected the name of an output without commas, quotes, line ends and other controls, found "
                          "\"{}\"",
                          name));
  // A spreadsheet that opens result.csv would compute it.
  if (begins_formula(name))
    refuse_at(place,
              fmt::format("expected the name of an output that does not begin with =, +, - or @, found \"{}\"", name));
}

}  // namespace raak
