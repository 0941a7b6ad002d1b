// Records the tasks of a group as one formula (fused_kernels.h): a kernel for all groups with the same surroundings.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "mechanism/large/fused/fused_kernels.h"
#include "mechanism/large/fused/fused_tasks.h"

namespace raak {

// Where a number of an object is when the group that made it is done: in its piece of memory, or where the group had it
// from. `none`: nowhere, it is not needed.
struct FusedPlace {
  enum class Kind : char { none, memory, coordinate, rate, parameter } kind = Kind::none;
  int index = 0;
  // NOLINTNEXTLINE(modernize-use-nullptr): the linter takes the comparison for a pointer
  auto operator<=>(const FusedPlace&) const = default;
};
using FusedLayout = std::vector<FusedPlace>;
// Equal ones are kept once: surroundings are the same where layouts are.
using FusedLayouts = std::set<FusedLayout>;

// The objects of a group as they are found. Everything has a number of the group's own, in the order of appearance.
struct Surroundings {
  struct Object {
    int object;
    const FusedLayout* layout;  // null: not made yet
    int piece, offset;          // of its piece of memory, from the first of those near it
    bool is_final;              // the unknowns of a body leave the passes here
  };
  struct Body {
    int body, cluster, offset;  // of its first coordinate from that of the cluster
  };
  std::vector<Object> objects;
  std::vector<Body> bodies;
  std::vector<int> pieces;    // near to each other in memory: where the first one begins
  std::vector<int> clusters;  // of bodies with near coordinates: the first one

  int number_of(int object) const;
  int number_of_body(int body) const;
};

// A recorded group, and what else a call of its kernel has to know.
struct FusedRecipe {
  FusedKernel kernel;
  std::vector<int> which;  // of the inputs: the number of the piece or of the cluster
  struct Parameter {
    int owner, index;  // a body, or -1 - task
  };
  std::vector<Parameter> parameters;
  struct Made {
    int object;
    const FusedLayout* layout;
  };
  std::vector<Made> made;
  std::vector<int> results, result_offsets;  // runs of final unknowns: the cluster, and the first number in it
  int size = 0;                              // of the piece
  bool fits = true;                          // false: it reads or writes too many arrays
};

FusedRecipe record_group(const FusedObjects& objects, const FusedTasks& tasks, const Surroundings& around,
                         FusedLayouts& layouts);

}  // namespace raak
