// What is done in a pass (fused_kernels.h), task by task, and the objects that tasks read and write: of a body its
// record without and its unknowns, of an element the entries of its Jacobian, its factor (the lower half of its pivot
// block with the diagonal of before) and its right-hand side, and the blocks between elements.
#pragma once
#include <array>
#include <vector>

#include "base/linear/block_elimination.h"
#include "mechanism/large/elements.h"

namespace raak {

struct FusedTask {
  enum class Kind : char {
    body,       // its record, from q, v and its numbers
    element,    // its record, from its bodies
    rates,      // its right-hand side alone
    force,      // added to the unknowns of its bodies
    divide,     // forces in the unknowns by the mass
    pair,       // a block between two elements
    clear,      // a block between elements without a common body
    eliminate,  // of a node, with its blocks and those of its targets
    forward,    // its right-hand side only
    backward,
    apply,  // the multipliers of an element to the unknowns of its bodies
    finish  // the unknowns of a body are what they shall be
  };
  Kind kind = Kind::body;
  const Kernel* kernel = nullptr;
  static constexpr std::size_t most_bodies = 4;
  std::array<int, most_bodies> bodies{-1, -1, -1, -1};
  int element = -1, beside = -1, block = -1, node = -1;
  int parameters = 0;            // of a body, an element or a force: a place among the library's numbers
  bool counts_residual = false;  // the squares of an element's right-hand side are summed
};
using FusedTasks = std::vector<FusedTask>;

// What tasks are about.
struct FusedScene {
  const std::vector<BodyPlace>& bodies;
  const Elements& elements;
  const BlockPlan& plan;
};

// Objects have numbers.
class FusedObjects {
 public:
  enum class Kind : char { body, unknowns, jacobian, factor, right, block };
  explicit FusedObjects(const FusedScene& scene);

  int count() const { return first_block_ + static_cast<int>(scene_.plan.target.size()); }
  int body(int b) const { return b; }
  int unknowns(int b) const { return bodies_ + b; }
  int jacobian(int e) const { return 2 * bodies_ + e; }
  int factor(int e) const { return 2 * bodies_ + elements_ + e; }
  int right(int e) const { return 2 * bodies_ + 2 * elements_ + e; }
  int block(int i) const { return first_block_ + i; }

  Kind kind(int object) const;
  bool is_of_body(int object) const { return object < 2 * bodies_; }
  int body_of(int object) const { return object % bodies_; }
  const RowKernels& element_of(int object) const;
  int size(int object) const;

  // A number of a body's or an element's record: the object, and the number in it.
  struct Number {
    int object, number;
  };
  Number in_body(int b, int number) const;
  Number in_element(int e, int number) const;

  // Of the elements of a node and its targets, and the blocks that eliminating it changes, in the order of its stream.
  int element_of_node(int j) const { return scene_.plan.block_of[static_cast<std::size_t>(j)]; }
  std::vector<int> changed_blocks(int j) const;
  // All objects of a task, in a fixed order.
  void list(const FusedTask& task, std::vector<int>& objects) const;

  const FusedScene& scene() const { return scene_; }

 private:
  FusedScene scene_;
  int bodies_, elements_, first_block_;
  std::vector<int> block_size_;
};

}  // namespace raak
