#include <gtest/gtest.h>
#include <raak/raak.h>

#include <string>

namespace {

raak::Callbacks pendulum() {
  raak::Callbacks own;
  own.coordinates = 2;
  own.position_rows = 1;
  own.description.coordinates = {"x", "y"};
  own.mass = [](double, const double*, const double*, double* M) { M[0] = M[3] = 1.0, M[1] = M[2] = 0.0; };
  own.force = [](double, const double*, const double*, double* f) { f[0] = 0.0, f[1] = -9.81; };
  own.constraint = [](double, const double* q, const double*, double* g) { g[0] = q[0] * q[0] + q[1] * q[1] - 1.0; };
  return own;
}

std::string refusal_of(const raak::Callbacks& own) {
  try {
    raak::callback_model(own, {{{"x", 1.0}}}, "pendulum");
  } catch (const raak::RequestError& error) {
    return error.what();
  }
  return "none";
}

TEST(Callbacks, ThatAreMissingAreNamed) {
  EXPECT_EQ(refusal_of(pendulum()), "none");
  raak::Callbacks own = pendulum();
  own.force = static_cast<void (*)(double, const double*, const double*, double*)>(nullptr);  // an address of 0
  EXPECT_EQ(refusal_of(own), "force expects a function, found none");
  own = pendulum();
  own.mass = nullptr;
  EXPECT_EQ(refusal_of(own), "mass expects a function, found none");
  own = pendulum();
  own.constraint = nullptr;
  EXPECT_EQ(refusal_of(own), "constraint expects a function, found none; position_rows is 1");
  own = pendulum();
  own.velocity_rows = 2;
  EXPECT_EQ(refusal_of(own), "velocity_constraint expects a function, found none; velocity_rows is 2");
  own = pendulum();
  own.description.outputs = {"height"};
  EXPECT_EQ(refusal_of(own), "outputs expects a function, found none, and the description names some");
}

TEST(Callbacks, CannotUseTheirModelWhileItIsPrepared) {
  const raak::Model* used = nullptr;
  raak::Callbacks own = pendulum();
  own.force = [&](double, const double*, const double*, double* f) {
    f[0] = 0.0, f[1] = -9.81;
    if (used != nullptr) used->columns();
  };
  const raak::Model model = raak::callback_model(own, {{{"x", 1.0}}}, "pendulum");
  used = &model;
  try {
    raak::run(model, {.until = 0.1});
    FAIL() << "it was not refused";
  } catch (const raak::RequestError& error) {
    EXPECT_EQ(std::string(error.what()).find("the model is being prepared: its own functions cannot use it"), 0U);
  }
  used = nullptr;
  EXPECT_EQ(raak::run(model, {.until = 0.1}).status(), "ok");
}

TEST(Callbacks, HaveCoordinatesOfOtherNamesThanAllColumns) {
  for (const char* name : {"t", "q.x", "v.x", "energy.kinetic"}) {
    raak::Callbacks own = pendulum();
    own.description.coordinates = {"x", name};
    EXPECT_EQ(refusal_of(own), "the coordinate \"" + std::string(name) +
                                   "\" has the name of a column of the results; call it otherwise");
  }
}

TEST(Callbacks, HaveOutputsOfOtherNamesThanAllColumns) {
  raak::Callbacks own = pendulum();
  own.outputs = [](double, const double* q, const double*, double* out) { out[0] = q[1]; };
  own.description.outputs = {"height"};
  EXPECT_EQ(refusal_of(own), "none");
  own.description.outputs = {"x"};
  EXPECT_EQ(refusal_of(own), "the output \"x\" has the name of a coordinate; call it otherwise");
  for (const char* name : {"t", "q.x", "energy.kinetic", "lambda.1"}) {
    own.description.outputs = {name};
    EXPECT_EQ(refusal_of(own).find("two columns of the results are called \"" + std::string(name)), 0U) << name;
  }
}

}  // namespace
