// Rows do not depend on what ran before them: every example with its parameters varied, the cases forwards and
// backwards, and alone; methods that record formulas late, and numbers that decide on formulas.
#include "study/sweep/case_runner.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/text/text.h"
#include "modelfile/load.h"

namespace raak {
namespace {

namespace fs = std::filesystem;
const fs::path sources = RAAK_SOURCES;

class CaseRunnerTest : public testing::Test {
 protected:
  CaseRunnerTest() { fs::create_directories(folder_); }
  ~CaseRunnerTest() override { fs::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  SweptModel swept(const std::string& model, const std::string& plan) const {
    return read_swept_model(
        write("plan.toml", fmt::format("format = \"raak-sweep/1\"\nmodel = \"{}\"\n", model) + plan));
  }

  const fs::path folder_ =
      fs::temp_directory_path() / fmt::format("raak-case-runner-{}", static_cast<const void*>(this));
};

struct Row {
  std::vector<double> values;
  std::string cause;
};

Row row_of(CaseRunner& runner, const SweptModel& swept, std::uint64_t i) {
  Row row{std::vector<double>(swept.width), {}};
  row.cause = runner.run(i, row.values).cause;
  return row;
}

bool same(const Row& a, const Row& b) {
  return a.cause == b.cause && std::memcmp(a.values.data(), b.values.data(), a.values.size() * sizeof(double)) == 0;
}

// The first of these cases alone are compared besides.
void expect_no_history(const SweptModel& swept, std::uint64_t cases, std::uint64_t alone = 0) {
  CaseRunner forwards(swept, false), backwards(swept, false);
  std::vector<Row> rows;
  for (std::uint64_t i = 0; i < cases; ++i) rows.push_back(row_of(forwards, swept, i));
  for (std::uint64_t i = cases; i-- > 0;)
    EXPECT_TRUE(same(rows[i], row_of(backwards, swept, i))) << "case " << i << " behind later ones";
  for (std::uint64_t i = 0; i < alone; ++i) {
    CaseRunner other(swept, false);
    EXPECT_TRUE(same(rows[i], row_of(other, swept, i))) << "case " << i << " alone";
  }
}

// Two values of each parameter, its own and another one.
std::string two_of_each(const ModelSource& source) {
  std::string vary;
  for (const Parameter& parameter : source.parameters.all()) {
    if (!parameter.is_number()) continue;
    const double value = source.parameters.number(parameter.name);
    vary += fmt::format("\"{}\" = [{}, {}]\n", parameter.name, exact_text(value),
                        exact_text(value == 0.0 ? 0.01 : 1.003 * value));
  }
  return vary;
}

TEST_F(CaseRunnerTest, NoCaseOfAnyExampleDependsOnThoseBeforeIt) {
  int files = 0;
  for (const char* folder : {"examples", "examples/validation"})
    for (const auto& entry : fs::directory_iterator(sources / folder)) {
      if (entry.path().extension() != ".toml" || fs::file_size(entry.path()) > 6000) continue;
      const ModelSource source = load_model(entry.path().string());
      const std::string vary = two_of_each(source);
      if (vary.empty()) continue;
      const double until = std::min(source.runs.front().until, 0.1);
      for (const char* method : {"auto", "radau", "svd"}) {
        SCOPED_TRACE(entry.path().string() + ", " + method);
        const SweptModel plan = swept(entry.path().string(),
                                      fmt::format("design = \"random\"\nsamples = 8\nuntil = {}\nrtol = 1e-6\nmethod = "
                                                  "\"{}\"\n[vary]\n{}[keep]\n\"energy.kinetic\" = [\"end\", \"max\", "
                                                  "\"mean\"]\n",
                                                  exact_text(until), method, vary));
        expect_no_history(plan, 8);
        ++files;
      }
    }
  EXPECT_GT(files, 30);
}

// A rod that a stiff damped spring holds, which auto leaves to radau; half of the cases have none.
constexpr const char* stiff_rod = R"(format = "raak/1"
space = "planar"
gravity = [0.0, -9.81]
[parameters]
c = 0.0
k = 1000.0
p = 2.0
s = 0.2
[ground.points]
O = [0.0, 0.0]
A = [0.3, -0.6]
[bodies.rod]
mass = 1.0
inertia = 0.01
com = [0.25, "s - 0.2"]
points = { O = [0.0, 0.0], P = [0.5, 0.0] }
[joints]
O = { type = "revolute", pins = ["ground.O", "rod.O"] }
[forces]
drag = { type = "torque", on = "rod", value = "-c*rod.omega" }
spring = { type = "spring", between = ["ground.A", "rod.P"], stiffness = "k", length = 0.3, damping = "0.02*k" }
[start]
trust = { "rod.angle" = -0.5, "rod.omega" = 0.0 }
[outputs]
x = "abs(rod.angle)^p"
[runs.default]
until = 0.5
)";

TEST_F(CaseRunnerTest, FormulasThatAreRecordedLateDoNot) {
  const std::string model = write("rod.toml", stiff_rod);
  expect_no_history(
      swept(model,
            "design = \"random\"\nsamples = 12\nrtol = 1e-6\n[vary]\nc = [0.0, 0.1]\n"
            "k = { from = 1e2, to = 1e6 }\ns = [0.2, 0.21]\n[keep]\n\"rod.angle\" = [\"end\", \"max\"]\n"),
      12, 12);
  // Whether a torque is left out was decided by the first case that a formula was recorded for; others were then built
  // anew, and found their starts on another way.
  for (const char* method : {"auto", "radau"})
    expect_no_history(swept((sources / "examples/andrews.toml").string(),
                            fmt::format("design = \"random\"\nsamples = 12\nrtol = 1e-6\nmethod = \"{}\"\n[vary]\n"
                                        "tau = [0.0, 0.033]\nd = {{ uniform = [0.02795, 0.02805] }}\n[keep]\n"
                                        "\"OF.angle\" = [\"end\", \"max\"]\n",
                                        method)),
                      12, 12);
}

// An exponent is part of a formula: only cases with the typical one change in place.
TEST_F(CaseRunnerTest, NumbersThatDecideOnFormulasDoNot) {
  const SweptModel plan = swept(write("rod.toml", stiff_rod),
                                "design = \"random\"\nsamples = 8\nrtol = 1e-6\n[vary]\np = [1.5, 2.0, 3.0]\n"
                                "k = { from = 1e2, to = 1e3 }\n[keep]\nx = \"end\"\n");
  expect_no_history(plan, 8, 8);
  CaseRunner runner(plan, false);
  for (std::uint64_t i = 0; i < 8; ++i) row_of(runner, plan, i);
  EXPECT_EQ(runner.built_anew(), 6U);
}

TEST_F(CaseRunnerTest, LengthsAndStartsDoNot) {
  const SweptModel lengths =
      swept((sources / "examples/andrews.toml").string(),
            "design = \"random\"\nsamples = 24\nrtol = 1e-6\n[vary]\nd = [0.0279, 0.028, 0.0281]\n"
            "k = { from = 4500.0, to = 4600.0 }\n[keep]\n\"OF.angle\" = \"end\"\n");
  expect_no_history(lengths, 24, 8);
  const SweptModel starts =
      swept((sources / "examples/double-pendulum.toml").string(),
            "design = \"random\"\nsamples = 24\nrtol = 1e-6\nuntil = 1.0\n[vary]\n"
            "start1 = { from = 0.1, to = 3.0 }\nstart2 = [0.0, 1.0, 1.6]\n[keep]\ntheta1 = \"end\"\n");
  expect_no_history(starts, 24, 8);
}

}  // namespace
}  // namespace raak
