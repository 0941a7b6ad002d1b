// How large a mechanism is, which separates configurations from places where nothing of it can be
// (system/configuration_bounds.h).
#pragma once
#include "mechanism/formulas/maximal.h"
#include "system/configuration_bounds.h"

namespace raak {

// Those that joints and forces have in the file.
std::vector<Live> named_lengths(const Instance& instance);
// The longest of the bodies, of the ground and of the lengths that joints and forces have; of a mechanism without any
// the largest radius of gyration, or the widest distance of what is at rest or starts; 1 m where there is none either.
double typical_length(const Instance& instance);

// What the coordinates of the bodies move, where ways are measured in typical lengths: the squares of 1 for a length
// and, for an angle, of the reach of its body; twice that for a quaternion. A metric for the search of configurations
// and for ranks, which are a matter of geometry: masses and moments of inertia may differ by any factor.
Vector metric_of_geometry(const Instance& instance);

// Around the guess q; `gaps` are those of all position rows of the formulas there.
ConfigurationBounds bounds_around(const MaximalFormulas& formulas, const Vector& q, const Vector& gaps);

}  // namespace raak
