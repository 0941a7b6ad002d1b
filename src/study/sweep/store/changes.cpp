#include "study/sweep/store/changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/text/text.h"
#include "output/folder/own_name.h"

namespace raak {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_named = 3;

// The first line in which two texts differ.
std::string difference_of(const std::string& before, const std::string& now) {
  std::size_t line = 1, begin = 0;
  for (std::size_t i = 0; i < std::min(before.size(), now.size()) && before[i] == now[i]; ++i)
    if (before[i] == '\n') {
      ++line;
      begin = i + 1;
    }
  const auto line_of = [&](const std::string& text) {
    return text.substr(std::min(begin, text.size()), text.find('\n', std::min(begin, text.size())) - begin);
  };
  return fmt::format("line {} was \"{}\" and is \"{}\"", line, line_of(before), line_of(now));
}

// An entry of the plan as it is written there, apart from its braces; none where the plan does not have it.
Json entry_of(const Json& plan, const std::string& key) {
  return plan.is_object() && plan.contains(key) ? plan.at(key) : Json();
}

// Keys whose values differ, those of the plan of now first.
std::vector<std::string> changes_of_plan(const Json& before, const Json& now) {
  std::vector<std::string> changes;
  for (const auto& [key, value] : now.items()) {
    const Json old = entry_of(before, key);
    if (old == value) continue;
    if (old.is_null()) changes.push_back(fmt::format("{} is new: {}", key, compact_text(value)));
    else if (value.is_null()) changes.push_back(fmt::format("{} was {} and is left out", key, compact_text(old)));
    else changes.push_back(fmt::format("{} was {} and is {}", key, compact_text(old), compact_text(value)));
  }
  if (!before.is_object()) return changes;
  for (const auto& [key, value] : before.items())
    if (!now.contains(key) && !value.is_null())
      changes.push_back(fmt::format("{} was {} and is left out", key, compact_text(value)));
  if (changes.size() > most_named) {
    const std::size_t more = changes.size() - most_named;
    changes.resize(most_named);
    changes.push_back(fmt::format("and {} more of the plan", more));
  }
  return changes;
}

std::string changes_of_files(const Json& before, const Json& now, const fs::path& folder,
                             const std::vector<Inputs::File>& files) {
  const Json old_files = before.value("files", Json::array());
  for (std::size_t i = 1; i < files.size(); ++i) {
    if (i >= old_files.size()) return "\"" + files[i].path + "\" is read in addition";
    const Json& file = now.at("files")[i];
    if (old_files[i].value("hash", "") != file.at("hash"))
      return fmt::format("\"{}\" has changed: {}", files[i].path,
                         difference_of(bytes_in(folder / file.at("copy").get<std::string>()), files[i].text));
  }
  return old_files.size() > files.size() ? "a file that the model included is not read any more" : "";
}

}  // namespace

std::string changes_of(const Json& before, const Json& now, const fs::path& folder,
                       const std::vector<Inputs::File>& files) {
  const auto old = [&](const char* key) { return entry_of(before, key); };
  if (old("program") != now.at("program"))
    return fmt::format("it was begun by {} and this is {}", compact_text(old("program")),
                       compact_text(now.at("program")));
  if (old("exact") != now.at("exact"))
    return now.at("exact") == Json(true) ? "it was begun without --exact" : "it was begun with --exact";
  std::vector<std::string> changes = changes_of_plan(old("plan"), now.at("plan"));
  if (old("cases") != now.at("cases"))
    changes.push_back(fmt::format("the plan makes {} cases and the folder has {}", compact_text(now.at("cases")),
                                  compact_text(old("cases"))));
  if (const std::string file = changes_of_files(before, now, folder, files); !file.empty()) changes.push_back(file);
  if (changes.empty() && old("block") != now.at("block"))
    changes.push_back(fmt::format("its blocks have {} cases and would have {} now", compact_text(old("block")),
                                  compact_text(now.at("block"))));
  return join(changes, "; ");
}

}  // namespace raak
