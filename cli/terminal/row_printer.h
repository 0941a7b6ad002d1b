// `raak run --print A,B,..`: a row of chosen numbers on standard output at each sample while the run goes on, as the
// program SVD.FTN does (Starmans 1987, chapter 6). Lines that begin with # name the columns and their units.
#pragma once
#include <string>
#include <vector>

#include "output/folder/trace_files.h"
#include "run/integrate.h"

namespace raak::cli {

class RowPrinter {
 public:
  // Refuses unknown names with the nearest. Methods with independent coordinates have the columns of a trace, too.
  RowPrinter(const std::string& names, const ConstrainedSystem& system, const MethodInfo& method);

  void add(const Sample& sample);

 private:
  void print_head() const;

  const ConstrainedSystem& system_;
  Trace trace_ = Trace::none;
  std::vector<std::string> names_, units_;  // t first
  struct Chosen {
    std::size_t place;  // in a row of all columns
    bool modulo;        // an angle modulo 2 pi
  };
  std::vector<Chosen> columns_;
  std::vector<std::size_t> widths_;
  State shown_;
  std::vector<double> row_;
  bool begun_ = false;
};

}  // namespace raak::cli
