// How the history of a method is written to a checkpoint and read back, to the bit. Every member of a method and of its
// parts is either listed in visit_state() or named there in scratch(), which does nothing: tests/check_state.py refuses
// a class that leaves one out.
#pragma once
#include "base/archive.h"
#include "methods/method.h"

namespace raak {

// Names members that later steps do not depend on: constants of the construction, and memory that every use fills anew.
template <class... Members>
void scratch(const Members&...) {}

inline void visit_state(Archive& archive, State& state) {
  archive(state.t, state.q, state.v, state.a, state.lambda);
}
inline void visit_state(Archive& archive, SingularityRecord& singularity) {
  archive(singularity.t, singularity.q);
}
inline void visit_state(Archive& archive, IndependentCoordinates& independent) {
  archive(independent.VI, independent.through, independent.z, independent.z1, independent.z2, independent.partitions,
          independent.by_reason);
}

}  // namespace raak
