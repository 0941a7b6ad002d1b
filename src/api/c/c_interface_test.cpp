// The C interface gives what the C++ one gives, as statuses, messages, numbers and texts.
#include <gtest/gtest.h>
#include <raak/raak.h>
#include <raak/raak_c.h>

#include <cmath>
#include <string>
#include <vector>

namespace {

TEST(CInterface, NamesWhatIsNull) {
  const char* text = "as it was";
  for (const auto& get : {&raak_brief, &raak_json}) {
    EXPECT_EQ(get(nullptr, &text), RAAK_REQUEST_ERROR);
    EXPECT_EQ(std::string(raak_last_message()), "result is NULL");
    EXPECT_EQ(std::string(text), "as it was");
  }
  raak_model* model = nullptr;
  raak_result* result = nullptr;
  ASSERT_EQ(raak_problem("pendulum", &model), RAAK_OK);
  ASSERT_EQ(raak_run(model, nullptr, &result), RAAK_OK);
  EXPECT_EQ(raak_brief(result, nullptr), RAAK_REQUEST_ERROR);
  EXPECT_EQ(std::string(raak_last_message()), "text is NULL");
  ASSERT_EQ(raak_brief(result, &text), RAAK_OK);
  EXPECT_NE(std::string(text).find("pendulum"), std::string::npos);
  raak_result_free(result);
  raak_model_free(model);
}

raak_model* model_of(const char* text) {
  raak_model* model = nullptr;
  EXPECT_EQ(raak_parse(text, &model), RAAK_OK) << raak_last_message();
  return model;
}

constexpr const char* swinging = R"(format = "raak/1"
gravity = [0.0, -9.81]
[parameters]
m = 2.0
[ground.points]
O = [0.0, 0.0]
[bodies.arm]
mass = "m"
inertia = 0.4
com = [0.5, 0.0]
points = { O = [0.0, 0.0] }
[joints]
hinge = { type = "revolute", pins = ["ground.O", "arm.O"] }
[start]
trust = { "arm.angle" = 0.5, "arm.omega" = 0.0 }
[events]
down = { when = "arm.angle + pi/2", direction = "any", action = "record" }
[runs.short]
until = 1.0
[runs.long]
until = 2.0
)";

TEST(CInterface, NamesRunsAndParametersWithTheirTexts) {
  raak_model* model = model_of(swinging);
  EXPECT_EQ(raak_run_count(model), 2U);
  EXPECT_STREQ(raak_run_name(model, 1), "long");
  EXPECT_EQ(raak_run_name(model, 2), nullptr);
  ASSERT_EQ(raak_parameter_count(model), 1U);
  EXPECT_STREQ(raak_parameter_name(model, 0), "m");
  EXPECT_EQ(raak_parameter_name(model, 1), nullptr);
  EXPECT_EQ(raak_parameter_count(nullptr), 0U);
  EXPECT_EQ(raak_run_name(nullptr, 0), nullptr);
  const char* text = nullptr;
  ASSERT_EQ(raak_set(model, "m", 3.5), RAAK_OK);
  ASSERT_EQ(raak_get_text(model, "m", &text), RAAK_OK);
  EXPECT_STREQ(text, "3.5");
  EXPECT_EQ(raak_get_text(model, "n", &text), RAAK_REQUEST_ERROR);
  ASSERT_EQ(raak_toml(model, nullptr, &text), RAAK_OK);
  EXPECT_NE(std::string(text).find("m = 3.5"), std::string::npos) << text;
  raak_model_free(model);

  ASSERT_EQ(raak_problem("slider-crank", &model), RAAK_OK);
  const char *const names[] = {"beam", "Omega"}, *const values[] = {"nonlinear", "100"};
  ASSERT_EQ(raak_set_texts(model, 2, names, values), RAAK_OK) << raak_last_message();
  ASSERT_EQ(raak_get_text(model, "beam", &text), RAAK_OK);
  EXPECT_STREQ(text, "nonlinear");
  EXPECT_EQ(raak_toml(model, nullptr, &text), RAAK_REQUEST_ERROR);
  EXPECT_STREQ(raak_model_name(model), "slider-crank");
  raak_model_free(model);
}

TEST(CInterface, AssemblesFromStartValuesOfItsOwn) {
  raak_model* model = nullptr;
  ASSERT_EQ(raak_problem("andrews", &model), RAAK_OK);
  const raak_setting trust[] = {{"beta", -0.05}};
  raak_options options;
  raak_options_init(&options);
  options.trust = trust;
  options.trust_count = 1;
  raak_start* start = nullptr;
  ASSERT_EQ(raak_assemble(model, &options, &start), RAAK_OK) << raak_last_message();
  const raak::Start same = raak::problem("andrews").assemble({.trust = {{"beta", -0.05}}});
  raak_start_counts counts;
  ASSERT_EQ(raak_start_count(start, &counts), RAAK_OK);
  EXPECT_EQ(counts.coordinates, same.coordinates);
  EXPECT_EQ(counts.rank, same.rank);
  EXPECT_EQ(counts.mobility, 1);
  EXPECT_EQ(counts.redundant_rows, 0);
  double gamma = 0.0;
  ASSERT_EQ(raak_start_value(start, "gamma", &gamma), RAAK_OK);
  EXPECT_EQ(gamma, same.at["gamma"]);
  EXPECT_EQ(raak_redundant_count(start), same.redundant.size());
  raak_start_free(start);
  options.trust_count = 2;
  options.trust = nullptr;
  EXPECT_EQ(raak_assemble(model, &options, &start), RAAK_REQUEST_ERROR);
  EXPECT_STREQ(raak_last_message(), "trust is NULL");
  EXPECT_EQ(start, nullptr);
  raak_model_free(model);
}

TEST(CInterface, NamesWhatDoesNotClose) {
  raak_model* model = nullptr;
  ASSERT_EQ(raak_load(RAAK_SOURCES "/examples/four-bar.toml", &model), RAAK_OK) << raak_last_message();
  EXPECT_EQ(raak_set(model, "b", 3.0), RAAK_COMPUTATION_ERROR);
  ASSERT_GT(raak_last_open_count(), 0U);
  EXPECT_NE(raak_last_open_name(0), nullptr);
  EXPECT_GT(raak_last_open_gap(0), 0.0);
  EXPECT_EQ(raak_last_open_name(raak_last_open_count()), nullptr);
  EXPECT_STRNE(raak_last_advice(), "");
  raak_model_free(model);
  EXPECT_EQ(raak_parse("format = \"raak/1\"\nbodys = 1\n", &model), RAAK_MODEL_ERROR);
  EXPECT_EQ(raak_last_line(), 2);
  EXPECT_STREQ(raak_last_file(), "text");
  EXPECT_EQ(raak_last_open_count(), 0U);
}

TEST(CInterface, GivesQualityStatisticsEventsAndWarnings) {
  raak_model* model = model_of(swinging);
  raak_result* result = nullptr;
  ASSERT_EQ(raak_run(model, nullptr, &result), RAAK_OK);
  const raak::Result same = raak::run(raak::parse(swinging));
  raak_statistics work;
  ASSERT_EQ(raak_result_statistics(result, &work), RAAK_OK);
  EXPECT_EQ(work.steps, same.statistics().steps);
  EXPECT_EQ(work.evaluations, same.statistics().evaluations);
  raak_quality quality;
  ASSERT_EQ(raak_result_quality(result, &quality), RAAK_OK);
  EXPECT_EQ(quality.energy_drift, same.quality().energy_drift);
  EXPECT_TRUE(std::isnan(quality.scd));
  ASSERT_EQ(raak_event_count(result), same.events().size());
  ASSERT_GT(raak_event_count(result), 0U);
  EXPECT_STREQ(raak_event_name(result, 0), "down");
  EXPECT_EQ(raak_event_time(result, 0), same.events()[0].t);
  EXPECT_TRUE(std::isnan(raak_event_time(result, raak_event_count(result))));
  EXPECT_EQ(raak_warning_count(result), same.warnings().size());
  EXPECT_STREQ(raak_result_status(result), "ok");
  EXPECT_STREQ(raak_result_method(result), same.method().c_str());
  EXPECT_STREQ(raak_result_form(result), same.form().c_str());
  double begin = 0.0;
  ASSERT_EQ(raak_begin(result, "arm.angle", &begin), RAAK_OK);
  EXPECT_EQ(begin, 0.5);
  const double times[] = {0.25, 0.5};
  std::vector<double> values(2 * raak_column_count(result));
  ASSERT_EQ(raak_at_times(result, 2, times, values.data()), RAAK_OK);
  std::size_t place = 0;
  ASSERT_EQ(raak_column_place(result, "arm.angle", &place), RAAK_OK);
  EXPECT_EQ(values[2 * place + 1], same.at(0.5)["arm.angle"]);
  raak_result_free(result);
  raak_model_free(model);
}

TEST(CInterface, WarnsOfSingularConfigurations) {
  raak_model* model = nullptr;
  ASSERT_EQ(raak_load(RAAK_SOURCES "/examples/equal-slider-crank.toml", &model), RAAK_OK) << raak_last_message();
  raak_result* result = nullptr;
  ASSERT_EQ(raak_run(model, nullptr, &result), RAAK_OK) << raak_last_message();
  ASSERT_GT(raak_warning_count(result), 0U);
  EXPECT_NE(std::string(raak_warning(result, 0)).find("singular"), std::string::npos) << raak_warning(result, 0);
  raak_result_free(result);
  raak_model_free(model);
}

TEST(CInterface, ARunThatIsStoppedGivesWhatThereIs) {
  raak_model* model = model_of(swinging);
  raak_options options;
  raak_options_init(&options);
  long steps = 0;
  options.progress_data = &steps;
  options.progress = [](void* data, const raak_progress* at) {
    *static_cast<long*>(data) = at->steps;
    return at->steps < 5 ? 1 : 0;
  };
  raak_result* result = nullptr;
  EXPECT_EQ(raak_run(model, &options, &result), RAAK_COMPUTATION_ERROR);
  EXPECT_STREQ(raak_last_cause(), "interrupted");
  EXPECT_EQ(steps, 5);
  ASSERT_NE(result, nullptr);
  EXPECT_STREQ(raak_result_status(result), "interrupted");
  raak_result_free(result);
  raak_model_free(model);
}

TEST(CInterface, StepsWithStatistics) {
  raak_model* model = model_of(swinging);
  raak_stepper* stepper = nullptr;
  ASSERT_EQ(raak_stepper_new(model, nullptr, &stepper), RAAK_OK);
  int going = 0;
  ASSERT_EQ(raak_step(stepper, &going), RAAK_OK);
  ASSERT_EQ(raak_step(stepper, &going), RAAK_OK);
  EXPECT_LT(raak_stepper_before(stepper), raak_stepper_time(stepper));
  EXPECT_GT(raak_stepper_before(stepper), 0.0);
  raak_statistics work;
  ASSERT_EQ(raak_stepper_statistics(stepper, &work), RAAK_OK);
  EXPECT_EQ(work.accepted, 2);
  raak_stepper_free(stepper);
  raak_model_free(model);
}

}  // namespace
