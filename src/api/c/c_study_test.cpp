// Checks, costs, explanations and sweeps through the C interface.
#include <gtest/gtest.h>
#include <raak/raak_c_study.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <string>

namespace {

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
[runs.short]
until = 1.0
)";

TEST(CStudy, ChecksBenchesAndExplains) {
  raak_model* model = nullptr;
  ASSERT_EQ(raak_problem("pendulum", &model), RAAK_OK);
  raak_checks* checks = nullptr;
  ASSERT_EQ(raak_check(model, nullptr, &checks), RAAK_OK);
  ASSERT_GT(raak_check_count(checks), 0U);
  raak_check_row row;
  ASSERT_EQ(raak_check_get(checks, 0, &row), RAAK_OK);
  EXPECT_EQ(row.pass, 1) << row.message;
  EXPECT_GE(row.scd, row.required);
  EXPECT_EQ(raak_check_get(checks, raak_check_count(checks), &row), RAAK_REQUEST_ERROR);
  raak_checks_free(checks);

  const char* const methods[] = {"dop853"};
  const double rtol[] = {1e-6};
  raak_bench_options options;
  raak_bench_options_init(&options);
  options.methods = methods;
  options.rtol = rtol;
  options.method_count = options.rtol_count = 1;
  raak_benches* benches = nullptr;
  ASSERT_EQ(raak_bench(model, &options, &benches), RAAK_OK) << raak_last_message();
  ASSERT_EQ(raak_bench_count(benches), 1U);
  raak_bench_row cost;
  ASSERT_EQ(raak_bench_get(benches, 0, &cost), RAAK_OK);
  EXPECT_STREQ(cost.method, "dop853");
  EXPECT_STREQ(cost.status, "ok");
  EXPECT_GT(cost.work.steps, 0);
  raak_benches_free(benches);

  raak_explanation* found = nullptr;
  ASSERT_EQ(raak_explain(model, nullptr, &found), RAAK_OK);
  EXPECT_STREQ(raak_explanation_cause(found), "none");
  EXPECT_EQ(std::string(raak_explanation_json(found)).front(), '{');
  raak_explanation_free(found);
  raak_model_free(model);
}

constexpr const char* plan = R"(design = "grid"
[vary]
m = { from = 1.0, to = 3.0, count = 5 }
[keep]
"arm.angle" = ["end"]
)";

TEST(CStudy, SweepsAModelAndAPlanFile) {
  namespace fs = std::filesystem;
  raak_model* model = nullptr;
  ASSERT_EQ(raak_parse(swinging, &model), RAAK_OK) << raak_last_message();
  std::atomic<int> done = 0;
  raak_sweep_options options;
  raak_sweep_options_init(&options);
  options.data = &done;
  options.case_done = [](void* data, int) {
    ++*static_cast<std::atomic<int>*>(data);
    return 1;
  };
  raak_sweep* sweep = nullptr;
  ASSERT_EQ(raak_sweep_model(model, plan, nullptr, &options, &sweep), RAAK_OK) << raak_last_message();
  EXPECT_EQ(done, 5);
  EXPECT_EQ(raak_sweep_done(sweep), raak_sweep_planned(sweep));
  EXPECT_EQ(raak_sweep_case_number(sweep, 4), 4U);
  ASSERT_EQ(raak_sweep_column_count(sweep), 2U);
  EXPECT_EQ(raak_sweep_varied_count(sweep), 1U);
  EXPECT_STREQ(raak_sweep_column_name(sweep, 1), "arm.angle.end");
  EXPECT_EQ(raak_sweep_shape(sweep, 0), 5U);
  const double *m = nullptr, *angle = nullptr;
  ASSERT_EQ(raak_sweep_column(sweep, "m", &m), RAAK_OK);
  ASSERT_EQ(raak_sweep_column(sweep, "arm.angle.end", &angle), RAAK_OK);
  EXPECT_EQ(m[4], 3.0);
  raak_result* result = nullptr;
  ASSERT_EQ(raak_sweep_run(sweep, 4, &result), RAAK_OK);
  double end = 0.0;
  ASSERT_EQ(raak_end(result, "arm.angle", &end), RAAK_OK);
  EXPECT_EQ(end, angle[4]);
  raak_result_free(result);
  const char* text = nullptr;
  ASSERT_EQ(raak_sweep_summary(sweep, &text), RAAK_OK) << raak_last_message();
  EXPECT_EQ(std::string(text).front(), '{');
  EXPECT_EQ(raak_sweep_column(sweep, "n", &m), RAAK_REQUEST_ERROR);

  const fs::path folder = fs::temp_directory_path() / ("raak-c-" + std::to_string(getpid()));
  fs::create_directory(folder);
  const std::string file = (folder / "plan.toml").string(), table = (folder / "table.csv").string();
  ASSERT_EQ(raak_sweep_table(sweep, table.c_str()), RAAK_OK) << raak_last_message();
  EXPECT_TRUE(fs::exists(table));
  ASSERT_EQ(raak_sweep_save(sweep, file.c_str()), RAAK_OK) << raak_last_message();
  raak_sweep* again = nullptr;
  ASSERT_EQ(raak_sweep_plan(file.c_str(), nullptr, &again), RAAK_OK) << raak_last_message();
  const double* same = nullptr;
  ASSERT_EQ(raak_sweep_column(again, "arm.angle.end", &same), RAAK_OK);
  EXPECT_EQ(same[3], angle[3]);
  raak_sweep_free(again);
  raak_sweep_free(sweep);
  EXPECT_EQ(raak_sweep_load((folder / "none").c_str(), &sweep), RAAK_REQUEST_ERROR) << raak_last_message();
  EXPECT_EQ(sweep, nullptr);
  fs::remove_all(folder);
  raak_model_free(model);
}

}  // namespace
