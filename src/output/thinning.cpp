#include "output/thinning.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

namespace raak {
namespace {

constexpr std::size_t fewest_frames = 120;
constexpr std::size_t most_names = 1000;  // of the final state

template <class Number>
void keep_frames(std::vector<Number>& values, std::size_t size, std::size_t frames, std::size_t stride) {
  if (size == 0 || values.empty()) return;
  std::vector<Number> kept;
  for (std::size_t i = 0; i < frames; i += stride) {
    const auto from = values.begin() + static_cast<std::ptrdiff_t>(i * size);
    kept.insert(kept.end(), from, from + static_cast<std::ptrdiff_t>(size));
  }
  values = std::move(kept);
}

std::vector<std::size_t> most_wanted(const std::vector<std::string>& columns, std::size_t most) {
  const auto rank = [](const std::string& name) {
    if (name == "t") return 0;
    int place = 2;
    for (const char* prefix : {"q.", "v.", "lambda.", "a."}) {
      if (name.starts_with(prefix)) return place;
      ++place;
    }
    return 1;
  };
  std::vector<std::size_t> order(columns.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return rank(columns[a]) < rank(columns[b]); });
  order.resize(std::min(order.size(), most));
  std::sort(order.begin(), order.end());
  return order;
}

// `place` of a column in what is kept; none: its band goes.
template <class Place>
void keep_bands(Bands& bands, const Place& place) {
  Bands kept;
  std::vector<std::size_t> from;
  for (std::size_t i = 0; i < bands.columns.size(); ++i) {
    const std::optional<std::size_t> to = place(bands.columns[i]);
    if (!to) continue;
    kept.columns.push_back(*to);
    from.push_back(i);
  }
  for (std::size_t bin = 0; bin < bands.t.size(); ++bin)
    for (const std::size_t i : from) {
      kept.lows.push_back(bands.lows[bin * bands.columns.size() + i]);
      kept.highs.push_back(bands.highs[bin * bands.columns.size() + i]);
    }
  if (!kept.empty()) kept.t = std::move(bands.t);
  bands = std::move(kept);
}

void keep_columns(Recording& recording, const std::vector<std::size_t>& kept) {
  const std::size_t columns = recording.columns.size(), frames = recording.frame_count();
  std::vector<double> values;
  values.reserve(frames * kept.size());
  for (std::size_t row = 0; row < frames; ++row)
    for (const std::size_t column : kept) values.push_back(recording.frames[row * columns + column]);
  const auto keep = [&](std::vector<std::string>& words) {
    if (words.size() != columns) return;
    std::vector<std::string> chosen;
    for (const std::size_t column : kept) chosen.push_back(words[column]);
    words = std::move(chosen);
  };
  recording.frames = std::move(values);
  keep(recording.columns);
  keep(recording.units);
  keep_bands(recording.bands, [&](std::size_t column) -> std::optional<std::size_t> {
    if (column >= columns) return column - columns + kept.size();
    const auto found = std::lower_bound(kept.begin(), kept.end(), column);
    if (found == kept.end() || *found != column) return std::nullopt;
    return static_cast<std::size_t>(found - kept.begin());
  });
}

void shorten(Json& list, std::size_t most) {
  if (list.is_array() && list.size() > most) list.erase(list.begin() + static_cast<std::ptrdiff_t>(most), list.end());
}

}  // namespace

void thin_out(Json& document, Json& about, Recording& recording) {
  std::vector<std::string> remarks;
  const std::size_t frames = recording.frame_count();
  if (frames == 0) return;
  const auto per_frame = [&](std::size_t numbers) { return numbers / frames; };
  const std::size_t points = per_frame(recording.points.size()), accounts = per_frame(recording.accounts.size());
  const std::size_t numbers = frames * (recording.columns.size() + points + accounts);
  if (numbers > most_numbers_shown) {
    const std::size_t wanted = (numbers + most_numbers_shown - 1) / most_numbers_shown;
    const std::size_t stride = std::clamp<std::size_t>(frames / fewest_frames, 1, wanted);
    if (stride > 1) {
      keep_frames(recording.frames, recording.columns.size(), frames, stride);
      keep_frames(recording.points, points, frames, stride);
      keep_frames(recording.accounts, accounts, frames, stride);
      remarks.push_back(fmt::format("one frame of {} is shown", stride));
    }
    const std::size_t left = recording.frame_count();
    if (left * points > most_numbers_shown) {
      recording.points.clear();
      about["drawing"]["elements"] = Json::array();
      about["drawing"]["points"] = Json::array();
      remarks.emplace_back("the mechanism has too many points to be drawn");
    }
    if (left * accounts > most_numbers_shown / 4) {
      recording.accounts.clear();
      about["accounts"] = Json::array();
      keep_bands(recording.bands, [&](std::size_t column) {
        return column < recording.columns.size() ? std::optional(column) : std::nullopt;
      });
    }
    const std::size_t room = (most_numbers_shown - std::min(most_numbers_shown / 2, recording.points.size())) / left;
    const std::size_t all = recording.columns.size();
    if (all > room) {
      keep_columns(recording, most_wanted(recording.columns, room));
      about["columns"] = recording.columns;
      about["units"] = recording.units;
      remarks.push_back(fmt::format("{} series of {} are shown", room - 1, all - 1));
    }
  }
  if (document.contains("names") && document.at("names").size() > most_names) {
    remarks.push_back(fmt::format("{} coordinates of {} are in the tables", most_names, document.at("names").size()));
    for (const char* key : {"names", "names_v"}) shorten(document[key], most_names);
    for (const char* key : {"q", "v", "a", "lambda"}) shorten(document["final"][key], most_names);
    shorten(about["constraints"], most_names);
    shorten(about["parameters"], most_names);
  }
  if (!remarks.empty()) about["left_out"] = remarks;
}

std::vector<std::string> most_wanted_columns(const std::vector<std::string>& columns, std::size_t most) {
  std::vector<std::string> kept;
  for (const std::size_t place : most_wanted(columns, most)) kept.push_back(columns[place]);
  return kept;
}

void choose_columns(Recording& recording, const std::vector<std::string>& columns) {
  const std::set<std::string> wanted(columns.begin(), columns.end());
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < recording.columns.size(); ++i)
    if (wanted.contains(recording.columns[i])) kept.push_back(i);
  const std::size_t before = recording.columns.size();
  keep_bands(recording.bands, [&](std::size_t column) {
    return column < before ? std::optional(column) : std::nullopt;  // without the energy accounts
  });
  keep_columns(recording, kept);
}

}  // namespace raak
