// Known values of a solution over time in a file of values between commas, semicolons or tabs. The header says which of
// these, and which form it has:
//   t,name,value        a row a value
//   t,NAME,NAME,..      a row a time, as in result.csv
// Empty lines and those that begin with # are left out.
#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/text/place.h"

namespace raak {

struct HistoryFile {
  std::map<double, std::map<std::string, double>> values;  // by time, by name as written
  std::vector<std::pair<std::string, Place>> names;        // each once, where it is first
  std::vector<std::pair<double, Place>> times;             // in the order of the file
  bool wide = false;                                       // a row a time
};

// `path`: for messages. Refuses, with the place, what is no number, a value that is missing or given twice, and times
// that go back.
HistoryFile parse_history(const std::string& text, const std::string& path);

// Refuses a time outside a run from `start` to `until`; the end itself may differ from it by rounding.
void require_times_within(const HistoryFile& history, double start, double until, const std::string& run);

// Whether a run from `start` to `until` reaches a time.
bool is_reached(double t, double start, double until);

}  // namespace raak
