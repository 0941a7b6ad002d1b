#include "mechanism/large/fused/fused_tasks.h"

#include "base/linear/index.h"

namespace raak {
namespace {}  // namespace

FusedObjects::FusedObjects(const FusedScene& scene)
    : scene_(scene),
      bodies_(static_cast<int>(scene.bodies.size())),
      elements_(static_cast<int>(scene.elements.rows.size())),
      first_block_(2 * bodies_ + 3 * elements_) {
  const BlockPlan& plan = scene_.plan;
  for (int j = 0; j < plan.nodes(); ++j)
    for (int p = plan.first[z(j)]; p < plan.first[z(j) + 1]; ++p)
      block_size_.push_back(plan.rows[z(plan.target[z(p)])] * plan.rows[z(j)]);
}

FusedObjects::Kind FusedObjects::kind(int object) const {
  if (object >= first_block_) return Kind::block;
  if (object < 2 * bodies_) return object < bodies_ ? Kind::body : Kind::unknowns;
  const int part = (object - 2 * bodies_) / elements_;
  return part == 0 ? Kind::jacobian : part == 1 ? Kind::factor : Kind::right;
}

const RowKernels& FusedObjects::element_of(int object) const {
  return *scene_.elements.rows[z((object - 2 * bodies_) % elements_)].kernels;
}

int FusedObjects::size(int object) const {
  switch (kind(object)) {
    case Kind::body:
      return scene_.bodies[z(body_of(object))].kernels->layout.total;
    case Kind::unknowns:
      return scene_.bodies[z(body_of(object))].kernels->layout.size;
    case Kind::jacobian:
      return element_of(object).stored();
    case Kind::factor:
      return element_of(object).right_side() - element_of(object).stored();
    case Kind::right:
      return element_of(object).rows();
    default:
      return block_size_[z(object - first_block_)];
  }
}

FusedObjects::Number FusedObjects::in_body(int b, int number) const {
  const BodyLayout& layout = scene_.bodies[z(b)].kernels->layout;
  const bool unknown = number >= layout.x && number < layout.x + layout.size;
  return unknown ? Number{unknowns(b), number - layout.x} : Number{body(b), number};
}

FusedObjects::Number FusedObjects::in_element(int e, int number) const {
  const RowKernels& kernels = *scene_.elements.rows[z(e)].kernels;
  if (number < kernels.stored()) return {jacobian(e), number};
  if (number < kernels.right_side()) return {factor(e), number - kernels.stored()};
  return {right(e), number - kernels.right_side()};
}

std::vector<int> FusedObjects::changed_blocks(int j) const {
  const BlockPlan& plan = scene_.plan;
  std::vector<int> result;
  for (int p = plan.first[z(j)] + 1; p < plan.first[z(j) + 1]; ++p)
    for (int q = plan.first[z(j)]; q < p; ++q) result.push_back(plan.find(plan.target[z(p)], plan.target[z(q)]));
  return result;
}

void FusedObjects::list(const FusedTask& task, std::vector<int>& objects) const {
  const auto add = [&](int object) { objects.push_back(object); };
  for (const int b : task.bodies)
    if (b >= 0) add(body(b)), add(unknowns(b));
  for (const int e : {task.element, task.beside})
    if (e >= 0) add(jacobian(e)), add(factor(e)), add(right(e));
  if (task.block >= 0) add(block(task.block));
  if (task.node < 0) return;
  const BlockPlan& plan = scene_.plan;
  const auto add_node = [&](int j) { add(factor(element_of_node(j))), add(right(element_of_node(j))); };
  add_node(task.node);
  for (int p = plan.first[z(task.node)]; p < plan.first[z(task.node) + 1]; ++p) {
    add_node(plan.target[z(p)]);
    add(block(p));
  }
  if (task.kind == FusedTask::Kind::eliminate)
    for (const int i : changed_blocks(task.node)) add(block(i));
}

}  // namespace raak
