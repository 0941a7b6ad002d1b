// `raak run --trace`: the inside of the method of Mani, Haug and Atkinson as tables. trace.csv has a row per sample:
// independent coordinates, the basis they refer to, and the singular value decomposition of the moment; partitions.csv
// has a row per choice of a basis.
#pragma once
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kinematics/rank/constraint_svd.h"
#include "output/formats/csv.h"

namespace raak {

// matrices: U, D and V_D as well.
enum class Trace { none, coordinates, matrices };

// t, z.I, zd.I, zdd.I: V_I q, V_I v and V_I a; V.I.J: the basis V_I in use; now.I.J: V_I of this configuration, turned
// as near to the basis in use as its subspace allows; sigma.I: singular values of Phi_q as it is; outside: the share of
// the velocity that the basis in use does not see (2.34). U.I.J, D.I.J, VD.I.J: Phi_q = U' D [VD; VI]. All from 1.
std::vector<std::string> trace_columns(const ConstrainedSystem& system, Trace trace);
// The numbers of these columns, appended.
void append_trace(std::vector<double>& row, const ConstrainedSystem& system, const State& state,
                  const IndependentCoordinates& independent, Trace trace);

class TraceFiles {
 public:
  TraceFiles(std::filesystem::path folder, const ConstrainedSystem& system, Trace trace)
      : folder_(std::move(folder)), system_(system), trace_(trace) {}

  void add(const State& state, const IndependentCoordinates& independent);
  void add(const PartitionRecord& partition);

  // Calls seal(name, write) for each file there is: write() completes it under its partial name.
  void seal(const std::string& note, const std::function<void(const std::string&, const std::function<void()>&)>& seal);

  void visit_state(Archive& archive);

 private:
  void visit_table(Archive& archive, const std::string& name, std::optional<CsvFile>& table);

  std::filesystem::path folder_;
  const ConstrainedSystem& system_;
  Trace trace_;
  std::optional<CsvFile> rows_, partitions_;
  std::vector<double> row_;
};

}  // namespace raak
