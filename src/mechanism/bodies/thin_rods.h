// Rods without inertia about their own axis. Where all that acts on a rod acts in points of its axis and transmits no
// moment, nothing turns it about that axis: a symmetric body that does not spin moves the same whatever that inertia
// is (Euler's equations), so that it may be given one with which equations can be solved.
#pragma once
#include <vector>

#include "mechanism/instance.h"

namespace raak {

// Whether one principal moment of inertia is zero and the others are equal.
bool is_thin_rod(const Body& body);

// Gives each thin rod its transverse inertia about its axis too; refuses one that something turns, in the words of the
// file.
void complete_thin_rods(const Instance& instance, std::vector<Body>& bodies);

}  // namespace raak
