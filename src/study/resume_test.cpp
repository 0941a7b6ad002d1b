// A run that goes on from any checkpoint ends with the same bits as one that was never interrupted: every method, on
// mechanisms with events, jumps, singular configurations, velocity constraints, stiff parts and many bodies. The system
// is made anew for each run, as in another process.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <filesystem>

#include "base/error.h"
#include "modelfile/load.h"
#include "modelfile/tests/test_support.h"
#include "problems/catalogue.h"
#include "run/integrate.h"

namespace raak {
namespace {

struct Case {
  std::string model;  // built in, or a file of examples
  double until, rtol;
  double fixed_step = 0.0;
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << c.model;
}

ModelSource source_of(const std::string& name) {
  if (name == "chain of 40 rods") return load_model(ScratchModel(damped_chain(40)).path());
  for (const ModelSource& source : problem_catalogue())
    if (source.name == name) return source;
  return load_model(std::string(RAAK_SOURCES) + "/" + name);
}

// All that a run hands out, bit by bit; times of the processor left out.
struct Record {
  std::vector<double> rows, frames, steps;
  std::vector<std::string> states;                // one before each step
  std::vector<std::array<std::size_t, 3>> sizes;  // of rows, frames and steps when each was written
  Result result;
};

void append(std::vector<double>& to, const Sample& sample) {
  const State& state = sample.state;
  to.push_back(state.t);
  for (const Vector* part : {&state.q, &state.v, &state.a, &state.lambda, &sample.outputs})
    to.insert(to.end(), part->begin(), part->end());
  if (sample.independent != nullptr) to.insert(to.end(), sample.independent->z.begin(), sample.independent->z.end());
}

Record run(const Case& c, const std::string& method, bool checkpoints, const std::string& state = {}) {
  const ModelSource source = source_of(c.model);
  const Model model = source.build(source.parameters, Form::index1);
  Record record;
  Plan plan;
  plan.method = method;
  plan.until = c.until;
  plan.fixed_step = c.fixed_step;
  plan.tolerances = Tolerances::uniform(c.rtol, c.rtol);
  plan.dropped_rows = model.dropped_rows;
  for (std::size_t i = 0; i < model.events.size(); ++i)
    plan.events.push_back(
        {model.events[i].name, [&model, i](const State& at) { return event_value(*model.event_functions, i, at); }});
  for (int i = 0; i <= 40; ++i) plan.frame_times.push_back(model.start.t + (c.until - model.start.t) * i / 40.0);
  plan.frame = [&](const Sample& sample) { append(record.frames, sample); };
  plan.step_taken = [&](const StepReport& step) {
    for (const double x : {step.t, step.h, static_cast<double>(step.order), step.position_residual,
                           step.velocity_residual, static_cast<double>(step.statistics.evaluations)})
      record.steps.push_back(x);
  };
  plan.checkpoints.state = state;
  if (checkpoints) {
    plan.checkpoints.seconds = 1e-9;
    plan.checkpoints.write = [&](const std::string& bytes) {
      record.states.push_back(bytes);
      record.sizes.push_back({record.rows.size(), record.frames.size(), record.steps.size()});
    };
  }
  record.result = integrate(*model.system, consistent_start(model), plan,
                            [&](const Sample& sample) { append(record.rows, sample); });
  return record;
}

bool same(double x, double y) {
  return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y) || (std::isnan(x) && std::isnan(y));
}
bool same(const Vector& x, const Vector& y) {
  return x.size() == y.size() &&
         std::equal(x.begin(), x.end(), y.begin(), [](double a, double b) { return same(a, b); });
}
// What came after the checkpoint.
void expect_tail(const std::vector<double>& whole, std::size_t before, const std::vector<double>& tail,
                 const char* what) {
  ASSERT_EQ(whole.size(), before + tail.size()) << what;
  for (std::size_t i = 0; i < tail.size(); ++i)
    ASSERT_TRUE(same(whole[before + i], tail[i])) << what << " differ at number " << before + i << " of "
                                                  << whole.size() << ": " << whole[before + i] << " and " << tail[i];
}
void expect_same(const State& x, const State& y) {
  EXPECT_TRUE(same(x.t, y.t) && same(x.q, y.q) && same(x.v, y.v) && same(x.a, y.a) && same(x.lambda, y.lambda));
}
void expect_same(const Result& x, const Result& y) {
  EXPECT_EQ(x.message, y.message);
  EXPECT_EQ(x.warnings(), y.warnings());
  EXPECT_EQ(x.method, y.method);
  expect_same(x.end, y.end);
  EXPECT_TRUE(same(x.outputs, y.outputs));
  const Statistics &a = x.statistics, &b = y.statistics;
  EXPECT_EQ((std::array{a.steps, a.accepted, a.rejected, a.evaluations, a.jacobians, a.factorizations}),
            (std::array{b.steps, b.accepted, b.rejected, b.evaluations, b.jacobians, b.factorizations}));
  EXPECT_TRUE(same(x.quality.position_residual, y.quality.position_residual) &&
              same(x.quality.velocity_residual, y.quality.velocity_residual) &&
              same(x.quality.energy_drift, y.quality.energy_drift) &&
              same(x.quality.energy_moved, y.quality.energy_moved) && same(x.left_out_gap, y.left_out_gap));
  EXPECT_TRUE(same(x.ledger.input, y.ledger.input) && same(x.ledger.dissipation, y.ledger.dissipation) &&
              same(x.ledger.projection, y.ledger.projection) && same(x.ledger.integrator, y.ledger.integrator) &&
              same(x.ledger.balance_between, y.ledger.balance_between));
  ASSERT_EQ(x.ledger.entries.size(), y.ledger.entries.size());
  for (std::size_t i = 0; i < x.ledger.entries.size(); ++i)
    EXPECT_TRUE(same(x.ledger.entries[i].end, y.ledger.entries[i].end));
  ASSERT_EQ(x.events.size(), y.events.size());
  for (std::size_t i = 0; i < x.events.size(); ++i) expect_same(x.events[i].state, y.events[i].state);
  ASSERT_EQ(x.singularities.size(), y.singularities.size());
  for (std::size_t i = 0; i < x.singularities.size(); ++i)
    EXPECT_TRUE(same(x.singularities[i].t, y.singularities[i].t));
}

class Resume : public testing::TestWithParam<Case> {};

TEST_P(Resume, GoesOnWithTheSameBitsByEveryMethod) {
  const Case& c = GetParam();
  for (const MethodInfo& method : method_catalogue()) {
    const ModelSource source = source_of(c.model);
    if (method.holonomic_only && source.build(source.parameters, Form::index1).system->velocity_rows() > 0) continue;
    SCOPED_TRACE(method.name);
    const Record whole = run(c, method.name, false);
    const Record noted = run(c, method.name, true);
    expect_tail(whole.rows, 0, noted.rows, "rows");
    expect_same(whole.result, noted.result);
    ASSERT_GT(noted.states.size(), 0U);
    // Early ones, before anything is settled, and others spread over the run.
    const std::size_t count = noted.states.size();
    for (const std::size_t at : {std::size_t{0}, std::size_t{1}, std::size_t{3}, count / 3, 2 * count / 3, count - 1}) {
      if (at >= count) continue;
      SCOPED_TRACE(fmt::format("checkpoint {} of {}", at, count));
      const Record rest = run(c, method.name, false, noted.states[at]);
      // The start of a run is handed out before the first checkpoint.
      expect_tail(whole.rows, noted.sizes[at][0], rest.rows, "rows");
      expect_tail(whole.frames, noted.sizes[at][1], rest.frames, "frames");
      expect_tail(whole.steps, noted.sizes[at][2], rest.steps, "steps");
      expect_same(whole.result, rest.result);
      if (HasFatalFailure()) return;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Models, Resume,
    testing::Values(Case{"pendulum", 3.0, 1e-6}, Case{"andrews", 0.01, 1e-6}, Case{"car-axis", 0.5, 1e-5},
                    Case{"slider-crank", 0.01, 1e-5}, Case{"examples/equal-slider-crank.toml", 2.0, 1e-6},
                    Case{"examples/chaplygin-sleigh.toml", 6.0, 1e-8}, Case{"examples/geneva.toml", 1.0, 1e-6},
                    Case{"examples/heavy-top.toml", 0.2, 1e-5}, Case{"src/study/resumed.toml", 1.0, 1e-5},
                    Case{"chain of 40 rods", 0.02, 1e-4}, Case{"pendulum", 1.0, 1e-6, 0.01}));

TEST(ResumedState, OfAnotherRunIsRefused) {
  const Record noted = run({"pendulum", 1.0, 1e-6}, "gauss", true);
  EXPECT_THROW(run({"pendulum", 1.0, 1e-6}, "dop853", false, noted.states[1]), Error);
  EXPECT_THROW(run({"andrews", 0.01, 1e-6}, "gauss", false, noted.states[1]), Error);
  const std::string& state = noted.states[1];
  for (const std::size_t size : {std::size_t{1}, state.size() / 2, state.size() - 1})
    EXPECT_THROW(run({"pendulum", 1.0, 1e-6}, "gauss", false, state.substr(0, size)), Error);
  EXPECT_THROW(run({"pendulum", 1.0, 1e-6}, "gauss", false, state + "x"), Error);
}

}  // namespace
}  // namespace raak
