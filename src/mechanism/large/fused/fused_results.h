// The unknowns that a group of tasks (fused_recorder.h) has found for good: they leave the passes in runs of
// neighbours, each of which is one output block of the kernel.
#pragma once
#include <vector>

#include "mechanism/large/fused/fused_recorder.h"

namespace raak {

class FusedResults {
 public:
  // The number counts from the first coordinate of the cluster.
  void add(int cluster, int number, const Real& value) { found_.push_back({cluster, number, value}); }
  // As outputs of the tape; the recipe notes where the runs begin.
  void write_to(Tape& tape, FusedRecipe& recipe);

 private:
  struct Result {
    int cluster, number;
    Real value;
  };
  std::vector<Result> found_;
};

}  // namespace raak
