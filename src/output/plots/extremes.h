// The band within which each quantity of a run moves: the least and the largest value in each of up to about a thousand
// bins of time, from every step of the run and from inside the steps. Curves through evenly spaced frames show beats
// that do not exist where a vibration is faster than the frames; a band shows where it really is.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "methods/resumable.h"

namespace raak {

struct Bands {
  std::vector<double> t;             // s, the middles of the bins
  std::vector<std::size_t> columns;  // whose bands these are
  std::vector<double> lows, highs;   // bin by bin, a number for each of the columns

  bool empty() const { return columns.empty(); }
  // The place of a column among `columns`; as many as there are: it has no band.
  std::size_t find(std::size_t column) const;
};

class Extremes {
 public:
  explicit Extremes(std::size_t columns);

  // The next moment of the run, with a number for each column; nan where it is not known.
  void add(double t, const double* values);
  std::size_t bins() const { return first_.size(); }

  void visit_state(Archive& archive) {
    archive(moments_a_bin_, in_bin_, first_, last_, lows_, highs_, turns_, before_, now_, time_before_, time_now_,
            seen_);
    scratch(columns_, most_bins_);
  }

  // Of the columns whose curve through some rows, times first, leaves out much of what they do in between. Row i has
  // `columns` numbers, of which the first is the time.
  Bands bands(const std::vector<double>& rows, std::size_t columns, const std::vector<double>& others) const;

 private:
  void begin_bin(double t);
  void take(std::size_t column, double value);
  void halve();
  // Whether a curve through points misses a good part of the band of a column.
  bool misses(std::size_t column, const std::vector<double>& t, const std::vector<double>& values) const;

  std::size_t columns_, most_bins_;
  long moments_a_bin_, in_bin_ = 0;
  std::vector<double> first_, last_;           // s, of each bin
  std::vector<double> lows_, highs_;           // bin by bin
  std::vector<std::uint8_t> turns_;            // in each bin: how often a column changed its direction
  std::vector<double> before_, now_;           // the last two moments
  double time_before_ = 0.0, time_now_ = 0.0;  // s
  int seen_ = 0;                               // of them
};

}  // namespace raak
