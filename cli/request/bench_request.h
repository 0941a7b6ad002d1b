// What `raak bench` is asked for: which models, and for each the tolerances, methods, forms and first step.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "cli/commands/commands.h"
#include "study/bench/bench.h"

namespace raak::cli {

struct BenchOrder {
  struct Task {
    const ModelSource* model = nullptr;
    BenchRequest request;
  };
  std::vector<Task> tasks;
  std::vector<std::string> peers;  // named by --methods; none: all of them
  bool peers_only = false;
  std::optional<double> drift;  // J
  std::string variant;          // the run and the settings, where they are not the models' own

  std::size_t rows() const;  // without those of peers
};

BenchOrder read_bench_order(const BenchOptions& options);

}  // namespace raak::cli
