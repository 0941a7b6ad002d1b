// A table of cases: a CSV file whose header names what varies, with a row for each case.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "study/sweep/sweep_plan.h"

namespace raak {

class CaseTable {
 public:
  // `factors`: the columns that are used and what they vary; empty: all of the header, under their own names, and the
  // list is filled. Refuses with file:line:column what is no table of finite numbers.
  CaseTable(const std::string& file, const std::string& text, std::vector<Factor>& factors);

  std::uint64_t rows() const { return width_ == 0 ? 0 : values_.size() / width_; }
  void read(std::uint64_t row, std::span<double> values) const;
  std::uint64_t hash() const { return hash_; }

 private:
  std::size_t width_ = 0;
  std::vector<double> values_;  // row by row
  std::uint64_t hash_ = 0;
};

// FNV-1a of 64 bits (Fowler, Noll and Vo): that a file is another one is noticed, not that somebody forged it.
std::uint64_t hash_of(std::string_view text, std::uint64_t so_far = 0xcbf29ce484222325);

}  // namespace raak
