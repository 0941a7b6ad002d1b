// A value of a TOML document with its place, read strictly: every mistake is reported with file, line and column, what
// was found and what was expected.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "base/text/place.h"
#include "mechanism/mechanism.h"
#include "modelfile/text/toml.h"

namespace raak {

Place place_of(const toml::node& node);
Place place_of(const toml::key& key, const std::string& file);

// "a table", "the string "x"", "the number 3"
std::string found_text(const toml::node& node);
[[noreturn]] void refuse_type(const toml::node& node, const std::string& expected);

struct Member {
  std::string name;
  Place place;  // of the key
  const toml::node* value;
};
// The members of a table in the order of the file.
std::vector<Member> members_of(const toml::table& table);
// Refuses members that are not among the known ones.
std::vector<Member> known_members(const toml::table& table, const std::string& of,
                                  const std::vector<std::string>& known);

const toml::table& as_table(const toml::node& node, const std::string& what);
std::string as_text(const toml::node& node, const std::string& what);
double as_number(const toml::node& node, const std::string& what);
// One of a few words.
std::string as_choice(const toml::node& node, const std::string& what, const std::vector<std::string>& choices);
// A number, or a string that is an expression.
// Names of elements that may stand in the formula with their hyphens: see Expression::parse.
Quantity as_quantity(const toml::node& node, const std::string& what, const std::vector<std::string>& hyphenated = {});
// An array of quantities, of a given length unless it is 0; a single one where `single_too`.
std::vector<Quantity> as_quantities(const toml::node& node, const std::string& what, std::size_t length,
                                    bool single_too = false);
// An array of strings; a single string counts as one.
std::vector<std::pair<std::string, Place>> as_texts(const toml::node& node, const std::string& what);

// Refuses a name that does not match [A-Za-z_][A-Za-z0-9_]*, with a hyphen where that is allowed, or is very long.
void check_name(const std::string& name, const Place& place, const std::string& what, bool hyphen);

// Refuses what result.csv and result.npz have already, or could not hold as the name of a column.
void check_output_name(const std::string& name, const Place& place);

}  // namespace raak
