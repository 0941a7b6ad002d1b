// What an evaluation of many bodies knows of each: a record of its coordinates q, their rates v, its inverse mass, the
// unknowns x (accelerations, or coordinates or rates that are being corrected) and functions of q that elements share:
// in the plane, cosine and sine of its angle. One set of kernels for each kind of body, its numbers as inputs.
#pragma once
#include <array>
#include <memory>
#include <vector>

#include "base/tape/kernel.h"
#include "mechanism/bodies/catalogue.h"

namespace raak {

// Places in a record, in numbers.
struct BodyLayout {
  explicit BodyLayout(const BodyKind& kind);
  int size;  // coordinates
  int v, inverse_mass, x, shared, total;
};

// The rest of the record as inputs of a block in which q and v are inputs already.
struct BodyInputs {
  Reals inverse_mass, x;
};
BodyInputs read_record(Tape& tape, const BodyKind& kind, int block);
// The functions that all elements on a body share are read from its record.
void read_shared_functions(Tape& tape, const BodyKind& kind, const Reals& q, int block);

// The numbers of a body that its kernels read.
std::vector<Live> body_parameters(const Instance& instance, const Body& body);

// Inputs: q, v, parameters; output: the record, with x
struct BodyKernels {
  explicit BodyKernels(const BodyKind& of);
  BodyLayout layout;
  std::unique_ptr<Kernel> accelerations;  // of a body that gravity alone acts on
  std::unique_ptr<Kernel> forces;         // gravity and gyroscopic forces, to which others are added
  std::unique_ptr<Kernel> at_positions, at_velocities;
  std::unique_ptr<Kernel> divide;  // input: the record with forces in x; output: accelerations
  // By what is solved for: of free bodies, of loaded ones, and what follows the forces.
  std::array<const Kernel*, 3> free, loaded, after_forces;
};

}  // namespace raak
