// The inertia of a spanning tree in the plane in closed form. The centre of a body is c = base + sum R(theta_a) d_a
// over the bodies a on its way to the ground, d_a fixed in a, so that with D = theta_b - theta_a, C = sum m d_a.d_b and
// S = sum m d_a x d_b over the bodies that hang on both
//   M_aa = I_a + sum m |d_a|^2,  M_ab = C cos D - S sin D,  f_a = sum_b (C sin D + S cos D) theta_b'^2.
// Constants are summed before anything is recorded; J'MJ on the tape (tree.h) would not see that |R d|^2 is one.
// Wittenburg, Dynamics of Multibody Systems, 2nd ed., 2008, section 5.5.
#pragma once
#include <map>
#include <utility>
#include <vector>

#include "mechanism/bodies/catalogue.h"
#include "mechanism/formulas/tree.h"

namespace raak {

class PlanarTree {
 public:
  PlanarTree(const Instance& instance, const SpanningTree& tree);

  void mass(const Reals& x, SymmetricEntries& M) const;
  // Adds what forces do along x, and the inertia forces of the rates; `on_bodies`: forces on the pin of each body (on
  // the centre of one that hangs on none) and torques about it.
  void force(const Reals& x, const Reals& rates, const Reals& on_bodies, Reals& f) const;

 private:
  struct Pair {  // of bodies that turn, or of one with itself
    Live C, S;
  };
  struct Moment {  // of a body that turns, about its pin, of what a free body carries
    Live x, y;
  };
  int angle_of(std::size_t body) const { return place_[body] + (is_free(body) ? 2 : 0); }
  bool is_free(std::size_t body) const { return tree_.links[body].parent < 0; }
  bool turns(std::size_t body) const { return instance_.bodies()[body].kind->turning > 0; }
  void add_inertia_forces(const Reals& x, const Reals& rates, Reals& f) const;

  const Instance& instance_;
  const SpanningTree& tree_;
  std::vector<int> place_;                         // of the first coordinate that a body keeps, in x
  std::map<int, Live> carried_;                    // mass, by the free body
  std::map<std::pair<int, int>, Pair> pairs_;      // by bodies in the order of the tree
  std::map<std::pair<int, int>, Moment> moments_;  // by free body and body that turns
};

}  // namespace raak
