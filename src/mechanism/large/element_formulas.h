// The formulas of one element (a joint, driver, equation or force) over the bodies that it meets, recorded with its
// numbers as parameters. Elements with equal formulas share their kernels.
#pragma once
#include <functional>
#include <vector>

#include "mechanism/element.h"
#include "mechanism/large/body_kernels.h"

namespace raak {

// Blocks of the inputs while an element is recorded: time, parameters, then one for each body.
inline constexpr int time_block = 0, parameter_block = 1, first_body_block = 2;

struct ElementFormulas {
  Tape tape;
  Real t;
  std::vector<BodyVariables> bodies;
  std::vector<const BodyKind*> kinds;
  std::vector<bool> counters;  // of turns, by body
  Reals position, velocity;    // rows
  Reals velocity_at_rest;      // the velocity rows with v = 0
  ForceSink sink;

  std::vector<Live> parameters() const;
  // All coordinates or rates, body by body.
  Reals all(Reals BodyVariables::*part) const;
  // Of a number in all(): the body and the coordinate.
  std::pair<int, int> place(int number) const;
  std::uint64_t hash() const;
  bool same_formulas(const ElementFormulas& other) const;

 private:
  std::vector<int> keys() const;
};

// Fills a recorded, whose memory is used again. `draw` sees a scene that meets bodies as they are asked for; it is
// called a second time with all rates zero where there are velocity rows.
using Draw = std::function<void(const Scene& scene, ElementFormulas& to)>;
void record_formulas(const Instance& instance, const Draw& draw, ElementFormulas& recorded);

}  // namespace raak
