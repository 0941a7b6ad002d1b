// What users get wrong in a model file is reported with file, line, column and the nearest valid name.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "modelfile/tests/test_support.h"

namespace raak {
namespace {

constexpr const char* pendulum = R"(format = "raak/1"
gravity = [0.0, "-g"]
[parameters]
g = 9.81
l = "2*half"
half = 0.5
[ground.points]
O = [0.0, 0.0]
[bodies.bob]
mass = 1.0
inertia = 0.1
com = ["l", 0.0]
points = { O = [0.0, 0.0] }
[joints]
pivot = { type = "revolute", pins = ["ground.O", "bob.O"] }
[start]
trust = { "bob.angle" = 0.5 }
[outputs]
pull = "pivot.force.y"
[runs.default]
until = 1.0
)";

std::string replaced(const std::string& from, const std::string& to) {
  std::string text = pendulum;
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

// The message after the path of the file.
std::string mistake(const std::string& text) {
  const ScratchModel file(text);
  try {
    const ModelSource source = load_model(file.path());
    const Model model = source.build(source.parameters, Form::index1);
    const State start = consistent_start(model);
    Vector values(model.system->outputs());
    model.system->evaluate_outputs(start, values);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::model_file) << error.what();
    const std::string message = error.what();
    EXPECT_TRUE(message.starts_with(file.path())) << message;
    return message.substr(file.path().size());
  }
  return "none";
}

// The message about a line before the others.
std::string mistake_in_line(const std::string& line) {
  return mistake(line + "\n" + pendulum);
}

TEST(ModelFile, WhatIsNotUtf8IsRefusedBeforeItIsParsed) {
  EXPECT_EQ(mistake_in_line("title = \"caf\xE9\"").substr(0, 6), ":1:13:") << "Latin 1";
  EXPECT_EQ(mistake_in_line("# \xC3\xA9\xED\xA0\x80").substr(0, 5), ":1:4:") << "columns count characters";
  EXPECT_EQ(mistake_in_line("title = \"\xC3\xA9\xE2\x82\xAC \xF0\x9F\x98\x80\" # \xC3\xA9"), "none");
  EXPECT_NE(mistake_in_line("\xC3\xA9 = 1").find(":1:1: expected ASCII"), std::string::npos);
  EXPECT_NE(mistake_in_line("O =[  1\"1\xD1\x8B\"\"11e-12 ]").find(":1:8: "), std::string::npos);
}

// The parser takes letters beyond its tables for impossible there, which is undefined behaviour.
TEST(ModelFile, AnyLetterMayFollowALineThatEndsInABackslash) {
  for (const char* letter : {"\xC2\xA1", "\xC3\xA9", "\xD1\x8B", "\xE2\x82\xAC", "\xEF\xBF\xBD", "\xF0\x9F\x98\x80"})
    EXPECT_EQ(mistake_in_line(std::string("title = \"\"\"a \\\n  ") + letter + "\"\"\""), "none") << letter;
}

TEST(ModelFile, QuotesAtTheEndOfALongStringBelongToIt) {
  for (const char* title : {"\"\"\"a\"\"\"\"", "\"\"\"a\"\"\"\"\"", "'''a''''", "'''\n#a'''''", "\"\"\"\"\"\""})
    EXPECT_EQ(mistake_in_line(std::string("title = ") + title), "none") << title;
}

TEST(ModelFile, LongNamesAreRefusedAndCutShort) {
  const std::string name(60000, 'a');
  for (const std::string& text :
       {replaced("[bodies.bob]", "[bodies." + name + "]"), replaced("pull =", name + " ="),
        replaced("half = 0.5", "half = 0.5\n" + name + " = 1"), replaced("bob.O\"] }", name + ".O\"] }"),
        replaced("mass =", name + " ="), replaced("\"l\"", "\"" + name + "\""), replaced("revolute", name)}) {
    const std::string message = mistake(text);
    EXPECT_NE(message, "none");
    EXPECT_LT(message.size(), 900U) << message.substr(0, 200);
    EXPECT_NE(message.find("aaaa... ("), std::string::npos) << message.substr(0, 200);
  }
  EXPECT_EQ(mistake(replaced("pull =", std::string(255, 'a') + " =")), "none");
}

TEST(ModelFile, NamesOfOutputsAreNoFormulasOfSpreadsheetsAndNoControls) {
  for (const char* name : {"=1+1", "+a", "-a", "@a", "a\\u001b[31m", "a\\u202e", "a\\u0000", "a\\tb"}) {
    const std::string message = mistake(replaced("pull =", "\"" + std::string(name) + "\" ="));
    EXPECT_NE(message.find(":19:1: expected the name of an output"), std::string::npos) << name << ": " << message;
  }
  EXPECT_EQ(mistake(replaced("pull =", "\"a-b=\xC3\xA9\" =")), "none");
}

TEST(ModelFile, ReadsAPendulumWithItsReaction) {
  EXPECT_EQ(mistake(pendulum), "none");
  const Model model = model_of(pendulum, Coordinates::automatic);
  const State start = consistent_start(model);
  State shown;
  model.system->report(start, shown);
  EXPECT_NEAR(shown.q[2], 0.5, 1e-15);
  // alpha = -m g l cos(angle) / (I + m l^2)
  const double alpha = -9.81 * std::cos(0.5) / 1.1;
  EXPECT_NEAR(shown.a[2], alpha, 1e-12);
  Vector pull(1);
  model.system->evaluate_outputs(start, pull);
  EXPECT_NEAR(pull[0], 9.81 + alpha * std::cos(0.5), 1e-12);
}

TEST(ModelFile, NamesTheNearestValidWord) {
  EXPECT_EQ(mistake(replaced("type = \"revolute\"", "type = \"revolut\"")).substr(0, 67),
            ":15:18: no joint type is called \"revolut\"; did you mean \"revolute\"?");
  EXPECT_NE(mistake(replaced("bob.O\"]", "bbo.O\"]")).find(":15:50: no body is called \"bbo\"; did you mean \"bob\"?"),
            std::string::npos);
  EXPECT_NE(mistake(replaced("mass = 1.0", "maas = 1.0")).find(":10:1: no key of body \"bob\" is called \"maas\""),
            std::string::npos);
  for (const char* name : {"t", "energy.kinetic", "a,b"})
    EXPECT_NE(mistake(replaced("[outputs]", fmt::format("[outputs]\n\"{}\" = 1.0", name))).find(name),
              std::string::npos);
  EXPECT_NE(mistake(replaced("[outputs]", "[ouputs]")).find("did you mean \"outputs\"?"), std::string::npos);
  EXPECT_NE(mistake(replaced("bob.angle\" = 0.5", "bob.angel\" = 0.5")).find(":17:11:"), std::string::npos);
  EXPECT_NE(mistake(replaced("\"pivot.force.y\"", "\"2*bob.anle\"")).find(":19:11:"), std::string::npos);
  EXPECT_NE(mistake(replaced("\"-g\"", "\"-gg\"")).find(":2:19:"), std::string::npos);
}

TEST(ModelFile, RefusesWhatNoMechanismHas) {
  EXPECT_NE(mistake(replaced("mass = 1.0", "mass = -1.0")).find(":10:8: the mass of \"bob\" is -1"), std::string::npos);
  EXPECT_NE(mistake(replaced("inertia = 0.1", "inertia = 0.0")).find(":11:11:"), std::string::npos);
  EXPECT_NE(mistake(replaced("half = 0.5", "half = \"l/2\"")).find("in a circle: l -> half -> l"), std::string::npos);
  EXPECT_NE(mistake(replaced("O = [0.0, 0.0]\n[bodies", "O = [0.0, 0.0, 0.0]\n[bodies"))
                .find(":8:5: expected an array of 2 numbers"),
            std::string::npos);
  EXPECT_NE(mistake(replaced("mass = 1.0", "mass = \"1 +\"")).find("the expression ends"), std::string::npos);
  EXPECT_NE(mistake(replaced("mass = 1.0", "mass = true")).find("found true"), std::string::npos);
  EXPECT_NE(mistake(replaced("mass = 1.0", "mass = 1.0\nmass = 2.0")).find(":11:"), std::string::npos);
  EXPECT_NE(mistake("format = \"raak/1\"\n").find("no bodies"), std::string::npos);
  EXPECT_NE(mistake("").find("expected format"), std::string::npos);
  EXPECT_NE(mistake(std::string("\x7f\x45\x4c\x46\x00\x01", 6)).find("no TOML file"), std::string::npos);
  EXPECT_NE(mistake("[ %").find(":1:"), std::string::npos);
  EXPECT_NE(mistake(replaced("until = 1.0", "until = \"soon\"")).find(":21:9:"), std::string::npos);
}

TEST(ModelFile, RefusesASpatialInertiaThatViolatesTheTriangleInequality) {
  EXPECT_NE(mistake(R"(format = "raak/1"
space = "spatial"
[bodies.a]
mass = 1.0
inertia = [1.0, 1.0, 3.0]
)")
                .find(":5:12: no body has the inertia of \"a\""),
            std::string::npos);
}

TEST(ModelFile, TellsHowASpatialInertiaIsWritten) {
  const std::string body = "format = \"raak/1\"\nspace = \"spatial\"\n[bodies.a]\nmass = 1.0\ninertia = ";
  for (const char* inertia : {"[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]", "[1.0, 2.0]"})
    EXPECT_NE(mistake(body + inertia).find(":5:11: expected inertia = [xx, yy, zz] or [xx, yy, zz, xy, xz, yz]"),
              std::string::npos);
}

TEST(ModelFile, RefusesForcesThatActOnNothing) {
  for (const char* force : {R"({ type = "spring", between = ["bob.O", "bob.O"], stiffness = 1.0 })",
                            R"({ type = "torsion-spring", bodies = ["bob", "bob"], stiffness = 1.0 })",
                            R"({ type = "torque", on = "ground", value = 1.0 })",
                            R"({ type = "force", at = "ground.O", value = [1.0, 0.0] })"}) {
    const std::string said = mistake(replaced("[start]", fmt::format("[forces]\nf = {}\n[start]", force)));
    EXPECT_NE(said.find("force \"f\" acts on nothing that moves"), std::string::npos) << force << said;
    EXPECT_TRUE(said.starts_with(":17:")) << said;
  }
}

TEST(ModelFile, RefusesSpringsWhoseEndsAJointKeepsTogether) {
  const auto with_spring = [](const std::string& rest) {
    return mistake(replaced(
        "[start]", "[forces]\nf = { type = \"spring\", between = [\"ground.O\", \"bob.O\"]" + rest + " }\n[start]"));
  };
  for (const char* rest : {", stiffness = 100.0, length = 0.5", ", stiffness = 100.0, length = \"l\"",
                           ", damping = 1.0", ", pull = \"1 + t\""}) {
    const std::string said = with_spring(rest);
    EXPECT_NE(said.find("a joint keeps the ends of \"f\" together"), std::string::npos) << rest << said;
    EXPECT_TRUE(said.starts_with(":17:34: ")) << said;
  }
  for (const char* rest : {", stiffness = 100.0", ", length = 0.5", ", stiffness = 100.0, length = 0.0, damping = 0.0"})
    EXPECT_EQ(with_spring(rest).find("keeps the ends"), std::string::npos) << rest;
}

}  // namespace
}  // namespace raak
