#include "study/sweep/store/sweep_results.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/text/text.h"

namespace raak {

SweepResults::SweepResults(const SweptModel& swept, const BlockStore& store) : swept_(swept), store_(store) {
  std::uint64_t missing = 0;
  std::string damaged;
  outcomes_.reserve(cases());
  for (std::uint64_t b = 0; b < store_.blocks().count(); ++b) {
    const ReadBlock read = store_.read(b);
    if (!read.block) {
      ++missing;
      if (!read.flaw.empty() && damaged.empty())
        damaged = fmt::format("; \"{}\" is damaged: {}", store_.name_of(b), read.flaw);
      continue;
    }
    const Block& block = *read.block;
    std::vector<std::uint8_t> places;  // of the causes of the block among all
    for (const BlockCause& each : block.causes) {
      auto known =
          std::find_if(causes_.begin(), causes_.end(), [&](const BlockCause& one) { return one.cause == each.cause; });
      if (known == causes_.end()) known = causes_.insert(causes_.end(), each);
      places.push_back(static_cast<std::uint8_t>(known - causes_.begin() + 1));
    }
    for (const std::uint8_t outcome : block.outcome)
      outcomes_.push_back(outcome == 0 ? std::uint8_t{0} : places[static_cast<std::size_t>(outcome) - 1]);
    if (!holds(processors_, block.processor)) processors_.push_back(block.processor);
  }
  std::sort(processors_.begin(), processors_.end());
  if (missing > 0)
    refuse(fmt::format(
        "\"{}\" lacks {} of {} blocks{}. The rest is computed by raak sweep with the same plan, --out and --resume",
        store_.name(), missing, store_.blocks().count(), damaged));
}

std::uint64_t SweepResults::failed() const {
  return outcomes_.size() - static_cast<std::uint64_t>(std::count(outcomes_.begin(), outcomes_.end(), 0));
}

void SweepResults::for_each_block(const std::function<void(const Block&)>& use) const {
  for (std::uint64_t b = 0; b < store_.blocks().count(); ++b) {
    const ReadBlock read = store_.read(b);
    if (!read.block) refuse(fmt::format("\"{}\" has changed while it was read", store_.name_of(b)));
    use(*read.block);
  }
}

std::vector<std::vector<double>> SweepResults::numbers(const std::vector<std::size_t>& places) const {
  std::vector<std::vector<double>> found(places.size());
  for (std::vector<double>& each : found) each.reserve(cases());
  for_each_block([&](const Block& block) {
    for (std::uint64_t i = 0; i < block.cases(); ++i)
      for (std::size_t k = 0; k < places.size(); ++k) found[k].push_back(block.values[i * block.width + places[k]]);
  });
  return found;
}

}  // namespace raak
