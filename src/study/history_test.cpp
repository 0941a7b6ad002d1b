// Deviations over time, against the closed form of a motion.
#include "study/history.h"

#include <gtest/gtest.h>

#include <cmath>

#include "problems/catalogue.h"

namespace raak {
namespace {

const Model& pendulum() {
  static const Model model = [] {
    const ModelSource& source = problem_catalogue().front();
    return source.build(source.parameters, Form::index1);
  }();
  return model;
}

// What the run itself has at those times, then changed in one place.
Reference own_history(const Plan& plan) {
  Reference reference;
  Plan sampled = plan;
  sampled.sample_times = {0.0, 0.31, 0.5, 0.77, 1.0};
  integrate(*pendulum().system, consistent_start(pendulum()), sampled, [&](const Sample& s) {
    reference.values[s.state.t] = {{"q.x", s.state.q[0]}, {"v.phi", s.state.v[2]}, {"energy.kinetic", s.outputs[0]}};
  });
  return reference;
}

std::vector<Deviation> deviations_from(const Reference& reference, Plan plan) {
  HistoryComparison comparison(*pendulum().system, reference, 0.0, plan.until);
  plan.sample_times = comparison.times();
  integrate(*pendulum().system, consistent_start(pendulum()), plan, [&](const Sample& s) { comparison.add(s); });
  return comparison.deviations();
}

TEST(History, FindsTheLargestDeviationOfEachComponentAndItsTime) {
  Plan plan;
  plan.until = 1.0;
  Reference reference = own_history(plan);
  for (const Deviation& d : deviations_from(reference, plan)) {
    EXPECT_EQ(d.absolute, 0.0) << d.name;
    EXPECT_EQ(d.times, 5);
  }
  reference.values.at(0.77).at("q.x") += 1e-3;
  reference.values.at(0.31).at("q.x") -= 2e-3;
  reference.values.at(0.5).erase("v.phi");
  reference.values.at(1.0)["v.phi"] = 1e6;  // far off, but relative to its own size
  const std::vector<Deviation> found = deviations_from(reference, plan);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].name, "q.x");
  EXPECT_NEAR(found[0].absolute, 2e-3, 1e-15);
  EXPECT_EQ(found[0].t_absolute, 0.31);
  EXPECT_EQ(found[0].t, 0.31);
  EXPECT_EQ(found[1].name, "v.phi");
  EXPECT_EQ(found[1].times, 4);
  EXPECT_NEAR(found[1].difference, 1.0, 1e-4);
  EXPECT_NEAR(found[1].absolute, 1e6, 100.0);
  EXPECT_EQ(found[1].reference, 1e6);
  EXPECT_EQ(found[2].name, "energy.kinetic");
}

TEST(History, WhatHasNoValueIsFartherOffThanAnything) {
  Plan plan;
  plan.until = 1.0;
  Reference reference;
  reference.values = {{0.25, {{"q.x", std::nan("")}}}, {0.5, {{"q.x", 5.0}}}};
  const std::vector<Deviation> found = deviations_from(reference, plan);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(std::isnan(found[0].absolute));
  EXPECT_EQ(found[0].t_absolute, 0.25);
}

TEST(History, LooksAtTheTimesThatTheRunReaches) {
  Reference reference;
  reference.values = {{-1.0, {}}, {0.0, {}}, {0.5, {}}, {1.0 + 1e-15, {}}, {2.0, {}}};
  const HistoryComparison forwards(*pendulum().system, reference, 0.0, 1.0);
  EXPECT_EQ(forwards.times(), (std::vector<double>{0.0, 0.5, 1.0}));
  const HistoryComparison backwards(*pendulum().system, reference, 0.0, -2.0);
  EXPECT_EQ(backwards.times(), (std::vector<double>{0.0, -1.0}));
}

}  // namespace
}  // namespace raak
