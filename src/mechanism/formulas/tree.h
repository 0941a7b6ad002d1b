// The equations of a mechanism in the coordinates of a spanning tree: a body that hangs on a placed one by coincident
// pins keeps its angle or quaternion only, its position follows; the rows of those pins are gone and the loop closures
// remain. With q = Q(z): M_z = J'MJ and f_z = J'(f - M J' z'), J = dQ/dz. Wittenburg, Dynamics of Multibody Systems,
// 2nd ed., 2008, chapter 5. Shallow trees take far fewer operations than maximal coordinates.
#pragma once
#include <memory>
#include <vector>

#include "mechanism/formulas/mechanism_system.h"

namespace raak {

struct SpanningTree {
  struct Link {
    int parent = -1;  // -1: the body keeps all its coordinates
    PointRef there, here;
  };
  std::vector<Link> links;        // by body
  std::vector<int> order;         // bodies, parents first
  std::vector<int> coordinates;   // of the maximal ones, those that are kept
  std::vector<std::size_t> rows;  // of the kept ones, those that remain
  int depth = 0;
};

// The shallowest tree from the ground over joints whose rows are all kept.
SpanningTree find_tree(const MaximalFormulas& formulas);

// Null where no joint can be eliminated.
std::shared_ptr<const ConstrainedSystem> make_tree_system(const std::shared_ptr<const MaximalFormulas>& formulas,
                                                          const SpanningTree& tree,
                                                          const std::shared_ptr<const MechanismSystem>& maximal);

}  // namespace raak
