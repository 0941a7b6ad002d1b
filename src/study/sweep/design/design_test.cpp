// Designs against published numbers and their own definitions: known vectors of Philox, the first points of the
// sequence of Sobol', quantiles, permutations, and the parts of the unit interval that each sample of a Latin hypercube
// has alone.
#include "study/sweep/design/design.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "base/error.h"
#include "study/sweep/design/philox.h"

namespace raak {
namespace {

SweepPlan plan_of(DesignKind kind, std::uint64_t samples, std::size_t factors) {
  SweepPlan plan{.path = "plan.toml", .model = "pendulum", .design = kind, .samples = samples};
  for (std::size_t k = 0; k < factors; ++k)
    plan.vary.push_back({.name = "x" + std::to_string(k), .distribution = {Distribution::Kind::uniform, {0.0, 1.0}}});
  return plan;
}

std::vector<double> numbers_of(const Design& design, std::uint64_t i) {
  std::vector<double> numbers(design.factors().size());
  design.numbers(i, numbers);
  return numbers;
}

// The known answers that come with Random123.
TEST(Philox, GivesItsKnownAnswers) {
  using Four = std::array<std::uint32_t, 4>;
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (Four{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox({~0U, ~0U, ~0U, ~0U}, {~0U, ~0U}), (Four{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Four{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Philox, StaysInsideTheOpenInterval) {
  EXPECT_GT(open_unit(0), 0.0);
  EXPECT_LT(open_unit(~std::uint64_t{0}), 1.0);
}

// scipy.stats.qmc.Sobol(d=5, scramble=False).random(8), which has the same direction numbers.
TEST(SobolSequence, BeginsAsPublished) {
  const SobolSequence sequence(5);
  const std::vector<std::vector<double>> points{{0, 0, 0, 0, 0},
                                                {0.5, 0.5, 0.5, 0.5, 0.5},
                                                {0.75, 0.25, 0.25, 0.25, 0.75},
                                                {0.25, 0.75, 0.75, 0.75, 0.25},
                                                {0.375, 0.375, 0.625, 0.875, 0.375},
                                                {0.875, 0.875, 0.125, 0.375, 0.875},
                                                {0.625, 0.125, 0.875, 0.625, 0.625},
                                                {0.125, 0.625, 0.375, 0.125, 0.125}};
  for (std::size_t i = 0; i < points.size(); ++i)
    for (int k = 0; k < 5; ++k)
      EXPECT_EQ(std::ldexp(static_cast<double>(sequence.at(i, k)), -64), points[i][static_cast<std::size_t>(k)])
          << i << " " << k;
}

// Of 2^m points one lies in each of 2^m intervals, in every dimension: so does a sequence whose direction numbers are
// odd and made by primitive polynomials.
TEST(SobolSequence, FillsEachDimensionEvenly) {
  const SobolSequence sequence(SobolSequence::most_dimensions);
  for (int k = 0; k < SobolSequence::most_dimensions; ++k) {
    std::set<std::uint64_t> cells;
    for (std::uint64_t i = 0; i < 1024; ++i) cells.insert(sequence.at(i, k) >> 54);
    EXPECT_EQ(cells.size(), 1024U) << k;
  }
}

// By Newton iteration with 40 digits.
TEST(Distribution, NormalQuantilesHaveSixteenDigits) {
  const std::vector<std::pair<double, double>> known{{0.5, 0.0},
                                                     {0.75, 0.67448975019608174},
                                                     {0.975, 1.9599639845400542},
                                                     {0.001, -3.0902323061678133},
                                                     {1e-20, -9.2623400897984076},
                                                     {1e-300, -37.047096299361199}};
  for (const auto& [p, x] : known) EXPECT_NEAR(normal_quantile(p), x, 1e-15 * std::max(1.0, std::abs(x)) * 4) << p;
}

TEST(Distribution, QuantilesInvertTheirDistributionFunctions) {
  const Distribution triangle{Distribution::Kind::triangular, {1.0, 2.0, 5.0}};
  const auto below = [](double x) {
    return x < 2.0 ? (x - 1.0) * (x - 1.0) / 4.0 : 1.0 - (5.0 - x) * (5.0 - x) / 12.0;
  };
  for (const double u : {0.01, 0.25, 0.3, 0.7, 0.99}) EXPECT_NEAR(below(triangle.quantile(u)), u, 1e-14);
  const Distribution log{Distribution::Kind::lognormal, {0.3, 0.2}};
  EXPECT_NEAR(std::log(log.quantile(0.975)), 0.3 + 0.2 * 1.9599639845400542, 1e-14);
  EXPECT_FALSE(flaw_of({Distribution::Kind::normal, {0.0, -1.0}}).empty());
  EXPECT_FALSE(flaw_of({Distribution::Kind::triangular, {0.0, 2.0, 1.0}}).empty());
  EXPECT_FALSE(flaw_of({Distribution::Kind::uniform, {1.0, 0.0}}).empty());
}

TEST(Design, PermutesEveryPlaceOnce) {
  for (const std::uint64_t count : {1U, 2U, 3U, 17U, 1000U}) {
    std::set<std::uint64_t> places;
    for (std::uint64_t i = 0; i < count; ++i) places.insert(permuted(i, count, 7, 3));
    EXPECT_EQ(places.size(), count);
    EXPECT_LT(*places.rbegin(), count);
  }
}

TEST(Design, LatinHypercubeHasOneSampleInEachPart) {
  constexpr std::uint64_t samples = 97;
  const Design design(plan_of(DesignKind::latin_hypercube, samples, 3));
  for (std::size_t k = 0; k < 3; ++k) {
    std::set<int> parts;
    for (std::uint64_t i = 0; i < samples; ++i) parts.insert(static_cast<int>(numbers_of(design, i)[k] * samples));
    EXPECT_EQ(parts.size(), samples) << k;
  }
  // and the factors are not ordered alike
  double product = 0.0;
  for (std::uint64_t i = 0; i < samples; ++i)
    product += (numbers_of(design, i)[0] - 0.5) * (numbers_of(design, i)[1] - 0.5);
  EXPECT_LT(std::abs(product / samples), 0.3 / 12.0);
}

TEST(Design, GridGoesThroughAllLevelsTheLastFactorFirst) {
  SweepPlan plan = plan_of(DesignKind::grid, 0, 2);
  plan.vary[0].levels = 3;
  plan.vary[1].distribution = {Distribution::Kind::list, {10.0, 20.0}};
  plan.vary[1].levels = 2;
  const Design design(plan);
  ASSERT_EQ(design.cases(), 6U);
  EXPECT_EQ(numbers_of(design, 0), (std::vector<double>{0.0, 10.0}));
  EXPECT_EQ(numbers_of(design, 1), (std::vector<double>{0.0, 20.0}));
  EXPECT_EQ(numbers_of(design, 3), (std::vector<double>{0.5, 20.0}));
  EXPECT_EQ(numbers_of(design, 5), (std::vector<double>{1.0, 20.0}));
}

TEST(Design, SobolGroupsExchangeOneFactorAtATime) {
  SweepPlan plan = plan_of(DesignKind::sobol, 8, 3);
  plan.sobol_indices = true;
  const Design design(plan);
  ASSERT_EQ(design.group(), 5U);
  ASSERT_EQ(design.cases(), 40U);
  for (std::uint64_t j = 0; j < 8; ++j) {
    const auto a = numbers_of(design, 5 * j), b = numbers_of(design, 5 * j + 4);
    for (std::size_t k = 0; k < 3; ++k) {
      auto mixed = a;
      mixed[k] = b[k];
      EXPECT_EQ(numbers_of(design, 5 * j + 1 + k), mixed);
      EXPECT_NE(a[k], b[k]);
    }
  }
}

TEST(Design, DependsOnTheSeed) {
  for (const DesignKind kind : {DesignKind::random, DesignKind::latin_hypercube, DesignKind::sobol}) {
    SweepPlan plan = plan_of(kind, 100, 2);
    const auto one = numbers_of(Design(plan), 5);
    EXPECT_EQ(one, numbers_of(Design(plan), 5));
    plan.seed = 2;
    EXPECT_NE(one, numbers_of(Design(plan), 5));
  }
}

std::string refusal_of(const std::string& text, std::vector<Factor> factors = {}) {
  try {
    CaseTable("cases.csv", text, factors);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(CaseTable, GivesItsRows) {
  std::vector<Factor> factors{{.name = "stiffness", .distribution = {}, .column = "k"}};
  const CaseTable table("cases.csv", "case,k,m\r\n0,1.5,2\n# a remark\n1,2.5,3\n", factors);
  ASSERT_EQ(table.rows(), 2U);
  double value = 0.0;
  table.read(1, {&value, 1});
  EXPECT_EQ(value, 2.5);
}

TEST(CaseTable, NamesTheLineThatIsBroken) {
  EXPECT_EQ(refusal_of("k,m\n1,2\n1\n"), "cases.csv:3:1: the row has fewer cells than the 2 of the header");
  EXPECT_EQ(refusal_of("k,m\n1,2,3\n"), "cases.csv:2:3: the row has more cells than the 2 of the header");
  EXPECT_EQ(refusal_of("k,m\n1,nan\n"), "cases.csv:2:3: expected a finite number for \"m\", found \"nan\"");
  EXPECT_NE(refusal_of("k,k\n1,2\n").find("\"k\" is there twice"), std::string::npos);
  EXPECT_NE(refusal_of("k\n1\n", {{.name = "m", .distribution = {}, .column = "m"}}).find("no column of"),
            std::string::npos);
  std::string many = "k\n";
  for (int i = 0; i < 999'999; ++i) many += "1\n";
  EXPECT_EQ(refusal_of(many + "x\n"), "cases.csv:1000001:1: expected a finite number for \"k\", found \"x\"");
}

}  // namespace
}  // namespace raak
