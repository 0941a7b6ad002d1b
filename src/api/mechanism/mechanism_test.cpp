#include <gtest/gtest.h>
#include <raak/raak.h>

#include <cmath>
#include <string>

namespace {

using raak::Value;

raak::Mechanism arm() {
  raak::Mechanism arm("planar", "An arm");
  arm.gravity({0.0, -9.81}).parameter("k", 20.0).ground_point("O", {0.0, 0.0}).ground_point("P", {0.0, 1.0});
  arm.body("arm", {{"mass", 1},
                   {"inertia", 0.1},
                   {"com", {0.5, 0.0}},
                   {"points", Value::table({{"O", {0.0, 0.0}}, {"tip", {1.0, 0.0}}})}});
  arm.joint("hinge", "revolute", {{"pins", {"ground.O", "arm.O"}}});
  arm.force("spring", "spring", {{"between", {"ground.P", "arm.tip"}}, {"stiffness", "k"}, {"length", 0.5}});
  arm.trust("arm.angle", 0.3).trust("arm.omega", 0.0);
  arm.output("tip.y", "arm.tip.y");
  arm.run("default", {{"until", 0.5}, {"rtol", 1e-8}});
  return arm;
}

TEST(Mechanism, BuiltInCodeIsTheModelOfItsText) {
  raak::Model built = arm().build(), read = raak::parse(arm().toml());
  EXPECT_EQ(built.name(), "An arm");
  EXPECT_EQ(raak::run(built).end()["tip.y"], raak::run(read).end()["tip.y"]);
  built.set("k", 40.0);
  EXPECT_NE(raak::run(built).end()["tip.y"], raak::run(read).end()["tip.y"]);
}

std::string refusal(const raak::Mechanism& mechanism) {
  try {
    raak::run(mechanism.build());
  } catch (const raak::ModelError& error) {
    EXPECT_EQ(error.file(), "");
    EXPECT_EQ(error.line(), 0);
    return error.what();
  }
  return "";
}

TEST(Mechanism, ErrorsNameTheElement) {
  EXPECT_EQ(refusal(arm().joint("pin", "revolut", {})).substr(0, 12), "joint \"pin\":");
  EXPECT_EQ(refusal(arm().force("pull", "spring", {{"between", {"ground.P", "arm.top"}}})).substr(0, 13),
            "force \"pull\":");
  EXPECT_EQ(refusal(arm().output("w", "arm.omgea")).substr(0, 11), "output \"w\":");
  EXPECT_EQ(refusal(arm().body("bad", {{"mass", "heavy"}})).substr(0, 11), "body \"bad\":");
  EXPECT_EQ(refusal(arm().gravity({0.0})).substr(0, 7), "gravity");
}

TEST(Value, IsWrittenAsToml) {
  EXPECT_EQ(Value(1).toml(), "1.0");
  EXPECT_EQ(Value(0.1).toml(), "0.1");
  EXPECT_EQ(Value(1e300).toml().find('.') == std::string::npos, Value(1e300).toml().find('e') != std::string::npos);
  EXPECT_EQ(Value("a \"b\"\n\\").toml(), "\"a \\\"b\\\"\\n\\\\\"");
  EXPECT_EQ(Value({"x", 2.5, true}).toml(), "[\"x\", 2.5, true]");
  EXPECT_EQ(Value::table({{"p", {1.0, 0.0}}}).toml(), "{ \"p\" = [1.0, 0.0] }");
}

}  // namespace
