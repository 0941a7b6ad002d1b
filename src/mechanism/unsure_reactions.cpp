#include "mechanism/unsure_reactions.h"

#include <algorithm>
#include <cmath>

#include "mechanism/drivers.h"

namespace raak {
namespace {

constexpr std::size_t most_joints = 100;  // each has up to six components to be recorded

// The reactions that one joint, driver or equation has, by their names in outputs.
std::vector<std::string> components_of(const Instance& instance, const std::string& owner) {
  const Mechanism& mechanism = instance.mechanism();
  const auto is_owner = [&](const auto& element) { return element.name == owner; };
  if (instance.find_joint(owner) != nullptr) {
    if (instance.planar()) return {owner + ".force.x", owner + ".force.y", owner + ".moment"};
    return {owner + ".force.x",  owner + ".force.y",  owner + ".force.z",
            owner + ".moment.x", owner + ".moment.y", owner + ".moment.z"};
  }
  const auto driver = std::find_if(mechanism.drivers.begin(), mechanism.drivers.end(), is_owner);
  if (driver != mechanism.drivers.end())
    return {owner + (unit_of_driver(instance, *driver) == "rad" ? ".moment" : ".force")};
  if (std::any_of(mechanism.constraints.begin(), mechanism.constraints.end(), is_owner)) return {owner + ".lambda"};
  return {};
}

}  // namespace

std::vector<int> indeterminate_outputs(const MechanismSystem& complete, const RowChoice& choice, const State& pose) {
  std::vector<int> found;
  if (complete.outputs() == 0) return found;
  State state = pose;
  state.a = Vector::Zero(complete.coordinates());
  Vector without(complete.outputs());
  Vector with(complete.outputs());
  for (const VanishingRows& there : choice.seen) {
    state.t = there.t;
    state.q = there.q;
    state.lambda = Vector::Zero(complete.rows());
    complete.evaluate_outputs(state, without);
    for (Eigen::Index k = 0; k < there.vanishing.cols(); ++k) {
      state.lambda = there.vanishing.col(k);
      complete.evaluate_outputs(state, with);
      for (int i = 0; i < complete.outputs(); ++i)
        if (!(std::abs(with[i] - without[i]) < 1e-8 * state.lambda.cwiseAbs().maxCoeff())) found.push_back(i);
    }
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

std::vector<std::string> indeterminate_components(const MaximalFormulas& all, const RowChoice& choice,
                                                  const State& pose) {
  const std::vector<std::string>& sharing = choice.report.sharing;
  if (sharing.size() > most_joints) return sharing;
  std::vector<NamedQuantity> quantities;
  for (const std::string& owner : sharing)
    for (const std::string& name : components_of(all.instance(), owner))
      quantities.push_back({name, {Expression::parse(name, {owner}), all.instance().mechanism().place}});
  if (quantities.empty()) return sharing;
  const auto formulas = std::make_shared<MaximalFormulas>(all);
  formulas->evaluate_instead(quantities);
  std::vector<std::string> names;
  for (const int i : indeterminate_outputs(MechanismSystem(formulas), choice, pose))
    names.push_back(quantities[static_cast<std::size_t>(i)].name);
  return names;
}

}  // namespace raak
