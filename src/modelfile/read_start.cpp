#include "modelfile/read_start.h"

#include <fmt/format.h>

#include <unordered_set>

namespace raak {
namespace {

// A dotted key without quotes is a table of tables: "OF.angle" and OF.angle mean the same.
void read_group(const toml::table& table, const std::string& prefix, bool trusted,
                std::unordered_set<std::string>& listed, std::vector<StartEntry>& to) {
  for (const Member& member : members_of(table)) {
    const std::string name = prefix + member.name;
    if (member.value->is_table()) {
      read_group(*member.value->as_table(), name + ".", trusted, listed, to);
      continue;
    }
    if (!listed.insert(name).second) refuse_at(member.place, fmt::format("\"{}\" is listed twice", name));
    to.push_back({name, member.place, as_quantities(*member.value, fmt::format("\"{}\"", name), 0, true), trusted,
                  member.value->is_array()});
  }
}

}  // namespace

std::vector<StartEntry> read_start(const toml::node& start) {
  std::vector<StartEntry> entries;
  std::unordered_set<std::string> listed;
  for (const Member& group : known_members(as_table(start, "start"), "start", {"trust", "guess"}))
    read_group(as_table(*group.value, "start." + group.name), "", group.name == "trust", listed, entries);
  return entries;
}

}  // namespace raak
