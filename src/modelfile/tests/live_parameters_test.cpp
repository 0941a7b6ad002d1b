// Parameters that change in place: a model that is set to other values moves as one that is built with them, over the
// catalogue of joints and forces and over every example.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "base/error.h"
#include "base/text/text.h"
#include "mechanism/assemble.h"
#include "modelfile/load.h"
#include "modelfile/read_mechanism.h"
#include "run/integrate.h"

namespace raak {
namespace {

namespace fs = std::filesystem;
const fs::path sources = RAAK_SOURCES;

struct Moved {
  State start, end;
  long steps = 0;
};

Moved move(const Model& model, double until) {
  Plan plan;
  plan.until = until;
  plan.method = "gauss";
  plan.tolerances = Tolerances::uniform(1e-8, 1e-8);
  plan.max_steps = 20000;
  Moved moved;
  const State start = consistent_start(model);
  const Result result = integrate(*model.system, start, plan);
  // As reported: a model that is built anew may be solved in other coordinates.
  model.system->report(start, moved.start);
  model.system->report(result.end, moved.end);
  moved.steps = result.statistics.steps;
  return moved;
}

double difference(const Vector& a, const Vector& b) {
  double largest = 0.0;
  for (Eigen::Index i = 0; i < a.size(); ++i)
    if (std::isfinite(b[i])) largest = std::max(largest, std::abs(a[i] - b[i]) / (1.0 + std::abs(b[i])));
  return largest;
}

std::string text_of(const fs::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// The same file with a parameter in place of every number of bodies, joints, forces and gravity.
std::string with_numbers_as_parameters(const std::string& text) {
  static const std::regex section(R"(^\[([a-z]+).*)"),
      number(R"(([=\[,]\s*)(-?\d+(\.\d*)?([eE][-+]?\d+)?)(?=\s*[,\]\}#]|\s*$))");
  std::string result, parameters, now;
  std::istringstream lines(text);
  int count = 0;
  for (std::string line; std::getline(lines, line);) {
    std::smatch found;
    if (std::regex_match(line, found, section)) now = found[1];
    const bool counts =
        now == "bodies" || now == "joints" || now == "forces" || now == "ground" || line.starts_with("gravity");
    while (counts && !line.starts_with("[") && std::regex_search(line, found, number)) {
      const std::string name = "n" + std::to_string(++count);
      parameters += name + " = " + found[2].str() + "\n";
      line = found.prefix().str() + found[1].str() + "\"" + name + "\"" + found.suffix().str();
    }
    result += line + "\n";
    if (line == "[parameters]") now = "parameters";
  }
  const std::size_t own = result.find("[parameters]\n");
  if (own == std::string::npos) return result + "[parameters]\n" + parameters;
  return result.insert(own + std::string("[parameters]\n").size(), parameters);
}

struct Count {
  int in_place = 0, anew = 0, refused = 0;
};

// Every parameter of a file in turn 1 % larger, or every number.
void expect_alike(const fs::path& file, bool all_numbers, Coordinates coordinates, Count& count) {
  SCOPED_TRACE(file.string());
  const std::string text = all_numbers ? with_numbers_as_parameters(text_of(file)) : text_of(file);
  const FileReader read = [&](const std::string& path, const Place&) {
    return path == file.string() ? text : text_of(path);
  };
  const ModelSource source = load_model(file.string(), read);
  const auto mechanism =
      std::make_shared<const Mechanism>(read_mechanism(read_document(file.string(), nullptr, read), file.string()));
  const auto build = [&](const Parameters& parameters) {
    return assemble(std::make_shared<const Instance>(mechanism, parameters), coordinates);
  };
  const double until = std::min(source.runs.front().until, 0.05);
  bool skipped = false;
  for (const Parameter& parameter : source.parameters.all()) {
    skipped = !skipped;
    if (all_numbers && skipped) continue;  // every second number, for time
    SCOPED_TRACE(parameter.name);
    const double value = source.parameters.number(parameter.name);
    const double other = value == 0.0 ? 0.01 : 1.01 * value;
    Parameters changed = source.parameters;
    changed.set(parameter.name, exact_text(other));
    Moved fresh;
    Model model = build(source.parameters);
    if (!model.live) return;
    if (value != 0.0) {
      EXPECT_FALSE(model.live->set(model, {{parameter.name, 0.0}})) << "another structure";
    }
    try {
      fresh = move(build(changed), until);
    } catch (const Error&) {  // refused in place too, and the model is as it was
      ++count.refused;
      EXPECT_FALSE(model.live->set(model, {{parameter.name, other}}));
      EXPECT_NO_THROW(consistent_start(model));
      continue;
    }
    if (!model.live->set(model, {{parameter.name, other}})) {
      ++count.anew;
      continue;
    }
    ++count.in_place;
    const Moved found = move(model, until);
    EXPECT_LT(difference(found.start.q, fresh.start.q), 1e-9);
    EXPECT_LT(difference(found.end.q, fresh.end.q), 1e-6);
    EXPECT_LT(difference(found.end.v, fresh.end.v), 1e-5);
  }
}

class LiveParameters : public testing::TestWithParam<Coordinates> {};

TEST_P(LiveParameters, ChangeEveryExampleAsIfItWereBuiltAnew) {
  // Without machine code the parameters of the files do.
  const bool numbers_too = GetParam() == Coordinates::automatic && std::getenv("RAAK_NO_EMIT") == nullptr &&
                           std::getenv("RAAK_PLAIN") == nullptr;
  Count own, numbers;
  for (const char* folder : {"examples", "examples/validation"})
    for (const auto& entry : fs::directory_iterator(sources / folder)) {
      if (entry.path().extension() != ".toml" || fs::file_size(entry.path()) > 6000) continue;
      expect_alike(entry.path(), false, GetParam(), own);
      if (numbers_too) expect_alike(entry.path(), true, GetParam(), numbers);
    }
  std::printf("parameters of files: %d in place, %d anew, %d refused; every number: %d in place, %d anew, %d refused\n",
              own.in_place, own.anew, own.refused, numbers.in_place, numbers.anew, numbers.refused);
  EXPECT_GT(own.in_place, 50);
  EXPECT_GE(numbers.in_place, numbers_too ? 300 : 0);
}

INSTANTIATE_TEST_SUITE_P(Coordinates, LiveParameters,
                         testing::Values(Coordinates::automatic, Coordinates::element_by_element));

}  // namespace
}  // namespace raak
