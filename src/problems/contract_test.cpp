// What every benchmark problem has to satisfy, in every one of its runs: the derivatives are those of the functions,
// energy is accounted for, lanes and scalars agree, and the trusted solution solves the equations.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <stdexcept>

#include "problems/catalogue.h"
#include "problems/constants.h"
#include "system/identities.h"
#include "system/time/time_formulas.h"

namespace raak {
namespace {

struct Case {
  const ModelSource* source;
  const Run* run;
  friend void PrintTo(const Case& c, std::ostream* out) { *out << c.source->name << ", run " << c.run->name; }
};

Model build(const Case& c) {
  return c.source->build(with_settings(c.source->parameters, c.run->settings), c.run->form);
}

// The runs that arrive, all of which have a reference, or those that do not.
std::vector<Case> runs_with_reference(bool wanted = true) {
  std::vector<Case> cases;
  for (const ModelSource& source : problem_catalogue())
    for (const Run& run : source.runs)
      if (const Case c{&source, &run}; build(c).references.empty() != wanted) cases.push_back(c);
  return cases;
}

// The reference that judges the run: one of its own form, or else one without a form.
const Reference& trusted(const Model& model, Form form) {
  const Reference* general = nullptr;
  for (const Reference& r : model.references) {
    if (r.kind != Reference::Kind::trusted) continue;
    if (r.form == form) return r;
    if (!r.form) general = &r;
  }
  if (!general) throw std::runtime_error("no trusted reference");
  return *general;
}

std::vector<State> solution(const Model& model, Form form) {
  const auto& system = *model.system;
  std::vector<State> states;
  for (const auto& [t, values] : trusted(model, form).values) {
    State x = State::of_size(system.coordinates(), system.rows());
    x.t = t;
    for (int i = 0; i < system.coordinates(); ++i) {
      const std::string& name = system.description().coordinates[static_cast<std::size_t>(i)];
      x.q[i] = values.at("q." + name);
      x.v[i] = values.at("v." + name);
      x.a[i] = values.at("a." + name);
    }
    for (int i = 0; i < system.rows(); ++i) x.lambda[i] = values.at("lambda." + std::to_string(i + 1));
    states.push_back(x);
  }
  return states;
}

class EveryProblem : public testing::TestWithParam<Case> {
 protected:
  // Solution points, and positions off the constraints with velocities that satisfy them: no term may hide behind g =
  // 0.
  void SetUp() override {
    model_ = build(GetParam());
    on_solution_ = solution(model_, GetParam().run->form);
    states_ = on_solution_;
    std::mt19937 random(1987);
    std::uniform_real_distribution<double> offset(-1.0, 1.0);
    for (State x : on_solution_) {
      for (Eigen::Index i = 0; i < x.q.size(); ++i) {
        x.q[i] += 0.02 * offset(random);
        x.v[i] += offset(random);
      }
      system().correct_velocity(x.t, x.q.data(), x.v.data());
      update_accelerations(system(), x);
      states_.push_back(x);
    }
  }
  const ConstrainedSystem& system() const { return *model_.system; }

  Model model_;
  std::vector<State> on_solution_, states_;
};

std::string test_name(const testing::TestParamInfo<Case>& tested) {
  std::string name = tested.param.source->name + "_" + tested.param.run->name;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '-' || c == '.'; }, '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(Problems, EveryProblem, testing::ValuesIn(runs_with_reference()), test_name);

TEST_P(EveryProblem, IsSolvedByItsTrustedAccelerationsAndMultipliers) {
  for (const State& x : on_solution_) {
    State found = x;
    update_accelerations(system(), found);
    EXPECT_LT((found.a - x.a).norm(), 1e-12 * (1.0 + x.a.norm())) << "t = " << x.t;
    EXPECT_LT((found.lambda - x.lambda).norm(), 1e-12 * (1.0 + x.lambda.norm())) << "t = " << x.t;
  }
}

TEST_P(EveryProblem, KeepsItsConstraintsOnTheTrustedSolution) {
  const double offset = GetParam().run->form == Form::index2 ? 2.1e-10 : 0.0;
  for (const State& x : on_solution_) {
    EXPECT_LT(identities::constraint_at(system(), x.t, x.q).norm(), 1e-14 + offset);
    EXPECT_LT(identities::velocity_residual_at(system(), x.t, x.q, x.v).norm(), 1e-13 * (1.0 + x.v.norm()));
  }
}

TEST_P(EveryProblem, HasTheJacobianOfItsConstraints) {
  for (const State& x : states_) EXPECT_LT(identities::jacobian(system(), x), 1e-10);
}

TEST_P(EveryProblem, HasTheBiasOfItsVelocityConstraints) {
  for (const State& x : states_) EXPECT_LT(identities::bias(system(), x), 1e-9);
}

TEST_P(EveryProblem, HasTheDerivativesOfItsForces) {
  for (const State& x : states_) {
    const auto off = identities::force_derivatives(system(), x);
    EXPECT_LT(off.by_position, 1e-10);
    EXPECT_LT(off.by_velocity, 1e-10);
  }
}

TEST_P(EveryProblem, HasTheStiffnessOfItsInertiaAndReactions) {
  for (const State& x : states_) EXPECT_LT(identities::inertia_stiffness(system(), x), 1e-10);
}

TEST_P(EveryProblem, GainsTheEnergyThatIsPutIn) {
  for (const State& x : states_) EXPECT_LT(identities::power_balance(system(), x), 2e-9) << "t = " << x.t;
}

// So that their steps, and what they cost, are those that their motions ask for.
TEST_P(EveryProblem, ActsBrieflyAtNoMoment) {
  const Model model = build(GetParam());
  const double start = model.start.t;
  for (const double span : {1.0, -1.0, 100.0})
    EXPECT_EQ(brief_moments_of(*model.system, start, start + span * (GetParam().run->until - start)), nullptr) << span;
}

TEST_P(EveryProblem, HasASymmetricPositiveDefiniteMass) {
  for (const State& x : states_) {
    const Matrix M = identities::mass_at(system(), x.t, x.q);
    EXPECT_EQ(M, Matrix(M.transpose()));
    EXPECT_GT(Eigen::SelfAdjointEigenSolver<Matrix>(M).eigenvalues()[0], 0.0);
  }
}

TEST_P(EveryProblem, GivesTheSameInLanesAsAlone) {
  const int n = system().coordinates(), m = system().rows();
  for (std::size_t first = 0; first + lanes <= states_.size(); first += lanes) {
    alignas(32) std::array<double, lanes> t, pivot;
    Eigen::Matrix<double, lanes, Eigen::Dynamic> q(lanes, n), v(lanes, n), a(lanes, n), lambda(lanes, m);
    for (int k = 0; k < lanes; ++k) {
      const State& x = states_[first + static_cast<std::size_t>(k)];
      t[static_cast<std::size_t>(k)] = x.t;
      q.row(k) = x.q.transpose();
      v.row(k) = x.v.transpose();
    }
    system().accelerate_lanes(t.data(), q.data(), v.data(), a.data(), lambda.data(), pivot.data());
    for (int k = 0; k < lanes; ++k) {
      State x = states_[first + static_cast<std::size_t>(k)];
      const double alone = update_accelerations(system(), x);
      EXPECT_LT((a.row(k).transpose() - x.a).norm(), 1e-13 * (1.0 + x.a.norm()));
      EXPECT_LT((lambda.row(k).transpose() - x.lambda).norm(), 1e-13 * (1.0 + x.lambda.norm()));
      EXPECT_NEAR(pivot[static_cast<std::size_t>(k)], alone, 1e-12);
    }
  }
}

TEST_P(EveryProblem, StartsWhereItsTrustedSolutionStarts) {
  const State start = make_consistent(system(), model_.start);
  const State& expected = on_solution_.front();
  EXPECT_EQ(start.t, expected.t);
  EXPECT_LT((start.q - expected.q).norm(), 1e-13 * (1.0 + expected.q.norm()));
  EXPECT_LT((start.v - expected.v).norm(), 1e-13 * (1.0 + expected.v.norm()));
  EXPECT_LT((start.a - expected.a).norm(), 1e-10 * (1.0 + expected.a.norm()));
}

TEST_P(EveryProblem, HasValuesForAllThatCountsAtTheEnd) {
  ASSERT_FALSE(model_.references.empty());
  for (const Reference& reference : model_.references) {
    ASSERT_TRUE(reference.has_time(GetParam().run->until)) << reference.source;
    const auto& values = reference.values.at(GetParam().run->until);
    EXPECT_FALSE(reference.scored.empty());
    for (const std::string& name : reference.scored) EXPECT_NE(values.at(name), 0.0) << name;
    for (const std::string& name : reference.measured) EXPECT_TRUE(values.contains(name)) << name;
    const bool is_trusted = reference.kind == Reference::Kind::trusted;
    EXPECT_EQ(reference.required_scd > 0.0, is_trusted);
  }
}

// The drawing is a second way of writing down the geometry: where it closes the loops, it agrees with the constraints.
TEST_P(EveryProblem, DrawsRigidPartsThatKeepTheirLengths) {
  const Drawing& drawing = model_.drawing;
  ASSERT_FALSE(drawing.empty());
  ASSERT_EQ(drawing.dimension, 2);
  std::vector<double> first, now(drawing.numbers());
  const auto distance = [](const std::vector<double>& xy, int a, int b) {
    const auto i = 2 * static_cast<std::size_t>(a), j = 2 * static_cast<std::size_t>(b);
    return std::hypot(xy[i] - xy[j], xy[i + 1] - xy[j + 1]);
  };
  for (const State& x : on_solution_) {
    drawing.place(x, now);
    if (first.empty()) first = now;
    for (const DrawingElement& element : drawing.elements) {
      for (const int point : element.points) ASSERT_LT(static_cast<std::size_t>(point), drawing.points.size());
      if (element.kind != DrawingElement::Kind::bar && element.kind != DrawingElement::Kind::plate) continue;
      for (const int a : element.points) {
        for (const int b : element.points)
          EXPECT_NEAR(distance(now, a, b), distance(first, a, b), 1e-9) << element.name;
      }
    }
  }
}

TEST_P(EveryProblem, HasNoReferenceForOtherParameters) {
  const Case& c = GetParam();
  for (const Parameter& parameter : c.source->parameters.all()) {
    if (!parameter.is_number()) continue;
    Parameters other = with_settings(c.source->parameters, c.run->settings);
    other.set(parameter.name, std::to_string(1.25 * other.number(parameter.name) + 0.001));
    EXPECT_TRUE(c.source->build(other, c.run->form).references.empty()) << parameter.name;
  }
}

TEST(Catalogue, HasAReferenceForEveryRunThatArrives) {
  const std::vector<Case> without = runs_with_reference(false);
  ASSERT_EQ(without.size(), 1U);
  EXPECT_EQ(without[0].run->name, "buckling");
}

TEST(Catalogue, ListsTheProblemsInOrderOfDifficulty) {
  std::vector<std::string> names;
  for (const ModelSource& source : problem_catalogue()) names.push_back(source.name);
  EXPECT_EQ(names, (std::vector<std::string>{"pendulum", "andrews", "andrews-iftomm", "car-axis", "slider-crank"}));
}

}  // namespace
}  // namespace raak
