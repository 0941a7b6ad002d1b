// Methods show the order they declare: two sets of fixed steps on a smooth motion, every form.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "methods/method.h"
#include "methods/test_pendulum.h"

namespace raak {
namespace {

constexpr double until = 0.8;
constexpr int grid = 192;

// The motion at the points of a grid that all step counts share.
const std::vector<State>& exact() {
  static const std::vector<State> states = [] {
    std::vector<State> found{pendulum_start()};
    for (int i = 1; i <= grid; ++i) {
      const double end = until * i / grid;
      const auto method = find_method("dop853").make(*pendulum, Form::index1, Tolerances::uniform(1e-14, 1e-14));
      found.push_back(advance(*method, found.back(), end));
    }
    return found;
  }();
  return states;
}

struct Errors {
  double q = 0.0;
  double v = 0.0;
};

// The largest at `points` points of the run, in `steps` equal steps.
Errors error_of(const std::string& name, Form form, int steps, int points) {
  // How far the iterations go; with positions imposed, rounding errors of q / h enter the velocities.
  const double tolerance = form == Form::index3 ? 1e-12 : 1e-13;
  const auto method = find_method(name).make(*pendulum, form, Tolerances::uniform(tolerance, tolerance));
  method->use_fixed_steps();
  method->begin(pendulum_start(), until);
  Errors worst;
  for (int i = 1; i <= steps; ++i) {
    const Attempt attempt = method->attempt(until * i / steps);
    EXPECT_TRUE(attempt.acceptable) << name << " " << name_of(form) << " step " << i;
    if (!attempt.acceptable) break;
    method->accept();
    if (i % (steps / points) != 0) continue;
    const State& there = exact()[static_cast<std::size_t>(i * grid / steps)];
    worst.q = std::max(worst.q, (method->current().q - there.q).norm());
    worst.v = std::max(worst.v, (method->current().v - there.v).norm());
  }
  return worst;
}

struct Claim {
  std::string method;
  OrderClaim order;
};
void PrintTo(const Claim& claim, std::ostream* out) {
  *out << claim.method << " " << name_of(claim.order.form);
}

std::vector<Claim> all_claims() {
  std::vector<Claim> claims;
  for (const MethodInfo& method : method_catalogue())
    for (const OrderClaim& order : method.claims) claims.push_back({method.name, order});
  return claims;
}

class DeclaredOrder : public testing::TestWithParam<Claim> {};

TEST_P(DeclaredOrder, IsShownByRefiningTheSteps) {
  const auto& [method, claim] = GetParam();
  const int common = std::gcd(claim.coarse, claim.fine);
  const Errors coarse = error_of(method, claim.form, claim.coarse, common);
  const Errors fine = error_of(method, claim.form, claim.fine, common);
  const double refinement = std::log(static_cast<double>(claim.fine) / claim.coarse);
  const double q = std::log(coarse.q / fine.q) / refinement;
  const double v = std::log(coarse.v / fine.v) / refinement;
  if (claim.of_q > 0) {
    EXPECT_GT(q, claim.of_q - 0.8);
  }
  EXPECT_GT(v, claim.of_v - 0.8);
  RecordProperty("q", std::to_string(q));
  RecordProperty("v", std::to_string(v));
}

INSTANTIATE_TEST_SUITE_P(Methods, DeclaredOrder, testing::ValuesIn(all_claims()), [](const auto& entry) {
  std::string name = entry.param.method + "_" + name_of(entry.param.order.form);
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
});

}  // namespace
}  // namespace raak
