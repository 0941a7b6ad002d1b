#include "kinematics/start/consistent_start.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "system/example_systems.h"

namespace raak {
namespace {

StartRequest pendulum_request(double x, double y) {
  StartRequest r;
  r.q = (Vector(2) << x, y).finished();
  r.v = Vector::Zero(2);
  r.trusted_positions = {"x"};
  r.trusted_velocities = {"x"};
  return r;
}

std::string refusal(const ConstrainedSystem& system, const StartRequest& request, ErrorKind kind) {
  try {
    make_consistent(system, request);
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), kind);
    return e.what();
  }
  ADD_FAILURE() << "not refused";
  return {};
}

const auto pendulum = make_system(example::PointPendulum{});

TEST(MakeConsistent, KeepsTheTrustedCoordinateAndSolvesTheRest) {
  StartRequest r = pendulum_request(0.9, -1.0);
  r.v[0] = 2.0;
  const State s = make_consistent(*pendulum, r);
  EXPECT_EQ(s.q[0], 0.9);
  EXPECT_NEAR(s.q[1], -1.2, 1e-15);
  EXPECT_NEAR(s.v[0], 2.0, 1e-15);
  EXPECT_NEAR(s.v[1], 1.5, 1e-14);
  EXPECT_NEAR(2.0 * (0.9 * s.a[0] - 1.2 * s.a[1]), -2.0 * s.v.squaredNorm(), 1e-12);
}

TEST(MakeConsistent, TheGuessChoosesTheBranch) {
  EXPECT_NEAR(make_consistent(*pendulum, pendulum_request(0.9, 0.3)).q[1], 1.2, 1e-15);
  EXPECT_NEAR(make_consistent(*pendulum, pendulum_request(0.9, -0.3)).q[1], -1.2, 1e-15);
}

TEST(MakeConsistent, RefusesTooFewTrustedCoordinatesWithTheRankAndTheFreeOnes) {
  StartRequest r = pendulum_request(0.9, -1.0);
  r.trusted_positions.clear();
  const std::string text = refusal(*pendulum, r, ErrorKind::computation);
  EXPECT_NE(
      text.find("the trusted coordinates (none) do not fix the start: with the constraints they have rank 1 in 2"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("Still free: x, y"), std::string::npos) << text;
  r = pendulum_request(0.9, -1.0);
  r.trusted_velocities.clear();
  EXPECT_NE(refusal(*pendulum, r, ErrorKind::computation).find("the trusted velocities (none)"), std::string::npos);
}

TEST(MakeConsistent, RefusesContradictoryTrust) {
  StartRequest r = pendulum_request(0.9, -1.0);
  r.trusted_positions = {"x", "y"};
  const std::string text = refusal(*pendulum, r, ErrorKind::computation);
  EXPECT_NE(text.find("the trusted coordinates (x, y) contradict the constraints"), std::string::npos) << text;
  EXPECT_NE(text.find("rank 2"), std::string::npos) << text;
  r = pendulum_request(0.9, -1.0);
  r.v << 1.0, 1.0;
  r.trusted_velocities = {"x", "y"};
  EXPECT_NE(refusal(*pendulum, r, ErrorKind::computation).find("the trusted velocities (x, y) contradict"),
            std::string::npos);
}

TEST(MakeConsistent, AcceptsMoreTrustThanNeededWhenItAgrees) {
  StartRequest r = pendulum_request(0.9, -1.2);
  r.trusted_positions = {"x", "y"};
  EXPECT_NEAR(make_consistent(*pendulum, r).q[1], -1.2, 1e-15);
}

// A rod of 1.5 with its end on a wall at x = 2: impossible whatever y is.
struct OutOfReach : example::PointPendulum {
  static constexpr int constraints = 2;
  void constraint(const auto& t, const auto& q, auto& r) const {
    example::PointPendulum::constraint(t, q, r);
    r[1] = q[0] - 2.0;
  }
  static Description description() { return {{"x", "y"}, {"rod", "wall"}, {}}; }
};

TEST(MakeConsistent, SaysWhichConstraintStaysOpenAndByHowMuch) {
  const auto impossible = make_system(OutOfReach{});
  StartRequest r = pendulum_request(1.9, -0.3);
  r.trusted_positions.clear();
  const std::string text = refusal(*impossible, r, ErrorKind::computation);
  EXPECT_NE(text.find("the mechanism cannot be assembled: at best, with all others closed, \""), std::string::npos)
      << text;
  EXPECT_TRUE(text.find("\"wall\" stays open by 0.5") != std::string::npos ||
              text.find("\"rod\" stays open by") != std::string::npos)
      << text;
}

TEST(MakeConsistent, RefusesUnknownNamesAndValuesThatAreNotNumbers) {
  StartRequest r = pendulum_request(0.9, -1.2);
  r.trusted_positions = {"z"};
  EXPECT_NE(refusal(*pendulum, r, ErrorKind::request).find("no coordinate is called \"z\""), std::string::npos);
  r = pendulum_request(std::nan(""), -1.2);
  EXPECT_NE(refusal(*pendulum, r, ErrorKind::request).find("the start value of \"x\" is not a finite number"),
            std::string::npos);
}

TEST(CompleteStart, RefusesAStateOfAnotherSize) {
  const auto refused = [](auto&& change) -> std::string {
    State state = make_consistent(*pendulum, pendulum_request(0.9, -1.2));
    change(state);
    try {
      complete_start(*pendulum, state);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::request);
      return error.what();
    }
    return "accepted";
  };
  const auto says = [](const std::string& text, const char* words) { EXPECT_EQ(text.rfind(words, 0), 0U) << text; };
  says(refused([](State& s) { s.q = Vector::Zero(3); }), "the start has 3 positions (q), and the system 2");
  says(refused([](State& s) { s.a.resize(0); }), "the start has 0 accelerations (a), and the system 2");
  says(refused([](State& s) { s.lambda.resize(0); }), "the start has 0 multipliers (lambda), and the system 1");
}

// Where the row vanishes another branch crosses.
struct EqualArms {
  static constexpr int coordinates = 2;
  static constexpr int constraints = 1;
  void mass(const auto&, const auto&, auto& M) const { M(0, 0) = M(1, 1) = 1.0; }
  void force(const auto&, const auto& q, const auto&, auto& f) const { f[0] = -0.5 * cos(q[0] - 1.0); }
  void constraint(const auto&, const auto& q, auto& g) const { g[0] = sin(q[0]) + sin(q[1]); }
};

struct Massless {
  double mass_of_y;
  static constexpr int coordinates = 2, constraints = 2;
  void mass(const auto&, const auto&, auto& M) const {
    M(0, 0) = 1.0;
    M(1, 1) = mass_of_y;
  }
  void force(const auto&, const auto&, const auto&, auto& f) const { f[0] = 1.0; }
  void constraint(const auto&, const auto& q, auto& g) const {
    g[0] = q[1] - 1.0;
    g[1] = mass_of_y > 0.0 ? 2.0 * (q[1] - 1.0) : q[0];
  }
  static Description description() { return {{"x", "y"}, {"height", "other"}, {}}; }
};

TEST(CompleteStart, TellsMissingMassesAndConstraintsThatRepeatOthers) {
  const auto refusal = [](double mass_of_y) -> std::string {
    const auto system = make_system(Massless{mass_of_y});
    State start = State::of_size(2, 2);
    start.q << 0.0, 1.0;
    start.v << mass_of_y, 0.0;
    try {
      complete_start(*system, start);
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_NE(refusal(0.0).find("coordinate \"y\" has no mass"), std::string::npos) << refusal(0.0);
  EXPECT_NE(refusal(1.0).find("leave out the constraints that repeat others"), std::string::npos) << refusal(1.0);
}

TEST(CompletedStart, InASingularConfigurationHasTheAccelerationsOfTheBranch) {
  const auto system = make_system(EqualArms{});
  State start = State::of_size(2, 1);
  start.q = Vector{{0.5 * std::numbers::pi, -0.5 * std::numbers::pi}};
  start.v = Vector{{1.0, -1.0}};
  State full = start;
  complete_start(*system, full);
  EXPECT_LT(full.a[0], -0.1);
  EXPECT_EQ(completed_start(*system, start).a, full.a);
  EXPECT_EQ(completed_start(*system, full).a, full.a);
}

TEST(ConstraintRank, CountsMobility) {
  const RankReport rank = constraint_rank(*pendulum, 0.0, (Vector(2) << 0.9, -1.2).finished());
  EXPECT_EQ(rank.rank, 1);
  EXPECT_EQ(rank.mobility, 1);
  const auto sleigh = make_system(example::Sleigh{});
  EXPECT_EQ(constraint_rank(*sleigh, 0.0, Vector::Zero(3)).mobility, 2);
}

}  // namespace
}  // namespace raak
