// A motion that leaves a well of potential energy beyond which the energy falls without bound: what holds the parts in
// place about the start drives them further the further they go. Of a beam with second-order strain that is buckling:
// B. Simeon, Modelling a flexible slider crank mechanism by a mixed system of DAEs and PDEs, Math. Modelling of Systems
// 2 (1996) 1-18.
#pragma once
#include <optional>
#include <string>

#include "run/diagnosis/feedback.h"
#include "system/state.h"

namespace raak {

struct Buckling {
  std::string force;                 // whose energy falls
  std::string coordinates;           // that run away, in quotes
  double before = 0.0, after = 0.0;  // J, at the start and at the end
};

// None: the energy of the force has no well at the start in the direction in which the motion runs away.
std::optional<Buckling> find_buckling(const ConstrainedSystem& system, const State& start, const State& last,
                                      const Feedback& feedback);

std::string text_of(const Buckling& buckling, double t);
std::string advice_on(const Buckling& buckling);

}  // namespace raak
