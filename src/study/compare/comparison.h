// Compares runs by their results: for each quantity that two runs have in common, the largest difference and when.
#pragma once
#include <string>
#include <vector>

#include "output/folder/stored_run.h"

namespace raak {

struct Difference {
  std::string column, unit;
  std::size_t run = 0;              // which is compared with the first
  double largest = 0.0;             // nan: nothing was there to compare
  double t = 0.0;                   // s, where it is
  double first = 0.0, other = 0.0;  // the values there
  double range = 0.0;               // largest minus least value of the first run
};

// How the times of a run were matched with those of the first.
struct Matching {
  double from = 0.0, to = 0.0;  // s that both cover
  std::size_t times = 0;
  bool interpolated = false;  // the run, by cubic polynomials, at the times of the first
};

struct Comparison {
  std::vector<std::string> common;             // columns that all runs have, without t
  std::vector<std::vector<std::string>> only;  // of each run: those that some other lacks
  std::vector<Matching> matchings;             // of each run; the first with itself
  std::vector<Difference> differences;         // column by column, in each run by run
};

// Compares all others with the first. Where at least ten times are the same to rounding, and span nearly all that both
// cover, only these are used; else the other run is interpolated. Throws a request error where nothing is in common.
Comparison compare_runs(const std::vector<StoredRun>& runs);

// What runs are called: the names of their folders, or the whole paths where those are not different.
std::vector<std::string> run_labels(const std::vector<std::string>& folders);

// Of each run NAME=VALUE of the parameters that are not the same in all runs; of different models, of those that were
// set.
std::vector<std::vector<std::string>> differing_settings(const std::vector<StoredRun>& runs);

}  // namespace raak
