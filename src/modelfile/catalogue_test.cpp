// What every joint and force of the catalogues obeys, measured by difference quotients on two bodies in general
// position.
#include "mechanism/forces/catalogue.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "base/text/text.h"
#include "mechanism/joints/catalogue.h"
#include "modelfile/tests/test_support.h"
#include "system/identities.h"

namespace raak {
namespace {

std::string head(bool planar) {
  return planar ? two_planar_bodies : two_spatial_bodies;
}

std::string argument_text(const ArgumentInfo& info, bool planar) {
  const auto list = [&](const std::string& end) {
    return info.least == 1 && info.most == 1 && end == ".P" ? "[\"b" + end + "\"]"
           : info.most == 1                                 ? "[\"a" + end + "\"]"
                                                            : fmt::format(R"(["a{0}", "b{0}"])", end);
  };
  switch (info.kind) {
    case ArgumentKind::points:
      return list(".P");
    case ArgumentKind::axes:
      return list(".u");
    case ArgumentKind::bodies:
      return list("");
    case ArgumentKind::number:
    case ArgumentKind::length:
      return !planar && info.meaning.starts_with("planar:") ? "0.0" : "0.7";
    case ArgumentKind::formula:
      return R"x("0.3 + sin(t)*a.P.x - 0.2*b.P.vy")x";
    case ArgumentKind::torque:
      if (planar) return R"x("0.3*cos(t)")x";
      [[fallthrough]];
    case ArgumentKind::vector:
      return planar ? R"([1.0, "a.P.x*t"])" : R"([1.0, "a.P.x*t", -0.4])";
    case ArgumentKind::word:
      return info.words.empty() ? "\"hinge\"" : "\"" + info.words.back() + "\"";
  }
  return "";
}

std::string element_text(const ElementInfo& info, bool planar) {
  std::string text = "{ type = \"" + info.name + "\"";
  for (const ArgumentInfo& argument : info.arguments)
    if (!argument.optional || argument.kind != ArgumentKind::axes || !planar)
      if (argument.key != "carrier") text += ", " + argument.key + " = " + argument_text(argument, planar);
  return text + " }";
}

State random_state(const ConstrainedSystem& system, int seed) {
  std::mt19937_64 random(static_cast<unsigned>(seed));
  std::uniform_real_distribution<double> value(-1.0, 1.0);
  State x = State::of_size(system.coordinates(), system.rows());
  x.t = 0.4;
  for (Vector* part : {&x.q, &x.v, &x.a, &x.lambda})
    for (double& entry : *part) entry = value(random);
  for (int body = 0; body < 2 && system.coordinates() == 14; ++body) {
    auto p = x.q.segment(7 * body + 3, 4);
    p.normalize();
    auto rate = x.v.segment(7 * body + 3, 4);
    rate -= p.dot(rate) * p;
  }
  return x;
}

void expect_identities(const Model& model, const std::string& what) {
  const ConstrainedSystem& system = *model.system;
  for (int seed = 1; seed <= 3; ++seed) {
    const State x = random_state(system, seed);
    if (system.position_rows() > 0) {
      EXPECT_LE(identities::jacobian(system, x), 1e-8) << what;
    }
    if (system.rows() > 0) {
      EXPECT_LE(identities::bias(system, x), 1e-6) << what;
    }
    const auto derivatives = identities::force_derivatives(system, x);
    EXPECT_LE(derivatives.by_position, 1e-7) << what;
    EXPECT_LE(derivatives.by_velocity, 1e-7) << what;
    EXPECT_LE(identities::inertia_stiffness(system, x), 1e-7) << what;
    // Along the motion of the unconstrained rows the power of all forces is the change of energy.
    State moving = x;
    system.correct_velocity(x.t, x.q.data(), moving.v.data());
    update_accelerations(system, moving);
    EXPECT_LE(identities::power_balance(system, moving), 1e-6) << what;
    // Velocity rows are linear in v and their slopes are the Jacobian.
    const Matrix slopes = identities::quotients(
        [&](const Vector& v) { return identities::velocity_residual_at(system, x.t, x.q, v); }, x.v, 1.0);
    if (system.rows() > 0) {
      EXPECT_LE(identities::discrepancy(identities::jacobian_at(system, x.t, x.q), slopes), 1e-9) << what;
    }
  }
}

// Reactions on the two bodies cancel: a common translation changes no row.
void expect_balance(const Model& model, bool planar, const std::string& what) {
  const ConstrainedSystem& system = *model.system;
  const State x = random_state(system, 5);
  const Matrix G = identities::jacobian_at(system, x.t, x.q);
  const int size = planar ? 3 : 7;
  for (int i = 0; i < (planar ? 2 : 3); ++i)
    EXPECT_LE((G.col(i) + G.col(size + i)).cwiseAbs().maxCoeff(), 1e-12) << what;
}

TEST(JointCatalogue, EveryJointHasConsistentRowsAndOppositeReactions) {
  for (const bool planar : {true, false}) {
    for (const JointInfo& info : joint_catalogue()) {
      if (planar ? !info.planar : !info.spatial) continue;
      const std::string what = info.name + (planar ? ", planar" : ", spatial");
      const Model model = model_of(head(planar) + "[joints]\nhinge = " + element_text(info, planar) + "\n");
      expect_identities(model, what);
      expect_balance(model, planar, what);
    }
  }
}

TEST(ForceCatalogue, EveryForceHasExactDerivativesAndKeepsTheEnergyBalance) {
  for (const bool planar : {true, false}) {
    for (const ForceInfo& info : force_catalogue()) {
      if (planar ? !info.planar : !info.spatial) continue;
      const std::string what = info.name + (planar ? ", planar" : ", spatial");
      // Beside the points of the force: the ends of a spring have to part.
      const std::string hinge =
          planar ? R"(hinge = { type = "revolute", pins = ["ground.H", "a.P"] })"
                 : R"(hinge = { type = "cylindrical", pins = ["a.P", "b.P"], axes = ["a.u", "b.u"] })";
      expect_identities(model_of(head(planar) + "[ground.points]\nH = " + (planar ? "[0.1, 0.2]" : "[0.1, 0.2, 0.3]") +
                                 "\n[joints]\n" + hinge + "\n[forces]\nf = " + element_text(info, planar) + "\n"),
                        what);
    }
  }
}

}  // namespace
}  // namespace raak
