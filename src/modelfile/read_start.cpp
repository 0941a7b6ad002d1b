#include "modelfile/read_start.h"

#include <fmt/format.h>

#include <unordered_set>

#include "kinematics/slow/slow_manifold.h"

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

// Terms of the expansion after the first.
int as_order(const toml::node& node) {
  constexpr int highest = SlowManifoldRequest::highest_order;
  const auto* const order = node.as_integer();
  if (order == nullptr || order->get() < 0 || order->get() > highest)
    refuse_type(node, fmt::format("start.smooth.order to be a whole number from 0 to {}", highest));
  return static_cast<int>(order->get());
}

}  // namespace

std::vector<StartEntry> read_start(const toml::node& start) {
  std::vector<StartEntry> entries;
  std::unordered_set<std::string> listed;
  for (const Member& group : known_members(as_table(start, "start"), "start", {"trust", "guess", "smooth"})) {
    if (group.name == "smooth") continue;
    read_group(as_table(*group.value, "start." + group.name), "", group.name == "trust", listed, entries);
  }
  return entries;
}

std::optional<SmoothSpec> read_smooth(const toml::node& start) {
  const toml::node* const node = as_table(start, "start").get("smooth");
  if (node == nullptr) return std::nullopt;
  if (const auto* const on = node->as_boolean()) return on->get() ? std::optional(SmoothSpec{}) : std::nullopt;
  if (!node->is_table()) refuse_type(*node, "smooth to be true, false, or a table of order and above");
  SmoothSpec spec;
  for (const Member& member : known_members(*node->as_table(), "start.smooth", {"order", "above"})) {
    if (member.name == "above") spec.above = as_quantity(*member.value, "start.smooth.above");
    else spec.order = as_order(*member.value);
  }
  return spec;
}

}  // namespace raak
