#include "study/sweep/design/design.h"

#include <fmt/format.h>

#include <bit>
#include <filesystem>

#include "base/error.h"
#include "study/sweep/design/philox.h"

namespace raak {
namespace {

enum Stream : std::uint32_t { random_stream, cell_stream, shift_stream, permutation_stream };
constexpr double most_grid_cases = 1e12;

}  // namespace

std::uint64_t permuted(std::uint64_t i, std::uint64_t count, std::uint64_t seed, std::uint32_t dimension) {
  constexpr std::uint64_t rounds = 6;
  const int half = (std::max(2, static_cast<int>(std::bit_width(count - 1))) + 1) / 2;
  const std::uint64_t mask = (std::uint64_t{1} << half) - 1;
  do {
    std::uint64_t left = i >> half, right = i & mask;
    for (std::uint64_t round = 0; round < rounds; ++round) {
      const std::uint64_t mixed =
          left ^ (random_bits(seed, right | (round << 60), dimension, permutation_stream) & mask);
      left = right;
      right = mixed;
    }
    i = (left << half) | right;
  } while (i >= count);
  return i;
}

Design::Design(const SweepPlan& plan, const FileReader& read)
    : kind_(plan.design), samples_(plan.samples), seed_(plan.seed), indices_(plan.sobol_indices), factors_(plan.vary) {
  if (kind_ == DesignKind::grid) {
    double product = 1.0;
    cases_ = 1;
    for (const Factor& factor : factors_) {
      product *= static_cast<double>(factor.levels);
      cases_ *= factor.levels;
    }
    if (product > most_grid_cases)
      refuse_at(plan.design_place,
                fmt::format("the grid has {:.3g} cases; the limit is {:.0e}", product, most_grid_cases));
    return;
  }
  if (kind_ == DesignKind::table) {
    const auto file = (std::filesystem::path(plan.path).parent_path() / plan.table).string();
    table_.emplace(file, read(file, plan.table_place), factors_);
    cases_ = table_->rows();
    return;
  }
  cases_ = samples_ * group();
  if (kind_ != DesignKind::sobol) return;
  const std::size_t dimensions = factors_.size() * (indices_ ? 2 : 1);
  sequence_.emplace(static_cast<int>(dimensions));
  for (std::size_t k = 0; k < dimensions; ++k)
    shift_.push_back(random_bits(seed_, 0, static_cast<std::uint32_t>(k), shift_stream));
}

double Design::unit(std::uint64_t point, std::uint32_t dimension) const {
  if (kind_ == DesignKind::sobol)
    return open_unit(sequence_->at(point, static_cast<int>(dimension)) ^ shift_[dimension]);
  if (kind_ == DesignKind::random) return open_unit(random_bits(seed_, point, dimension, random_stream));
  const auto cell = static_cast<double>(permuted(point, samples_, seed_, dimension));
  return (cell + open_unit(random_bits(seed_, point, dimension, cell_stream))) / static_cast<double>(samples_);
}

void Design::numbers(std::uint64_t i, std::span<double> values) const {
  if (kind_ == DesignKind::table) return table_->read(i, values);
  if (kind_ == DesignKind::grid) {  // the last factor varies fastest
    for (std::size_t k = factors_.size(); k-- > 0; i /= factors_[k].levels)
      values[k] = factors_[k].distribution.level(i % factors_[k].levels, factors_[k].levels);
    return;
  }
  const std::uint64_t point = i / group(), place = i % group(), last = group() - 1;
  for (std::size_t k = 0; k < factors_.size(); ++k) {
    const bool of_b = indices_ && (place == last || place == k + 1);
    values[k] =
        factors_[k].distribution.quantile(unit(point, static_cast<std::uint32_t>(of_b ? k + factors_.size() : k)));
  }
}

}  // namespace raak
