// A model file survives the way to JSON and back: values, types and the order of keys.
#include "modelfile/text/convert.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "modelfile/tests/test_support.h"
#include "modelfile/text/toml_writer.h"

namespace raak {
namespace {

// The order of keys on every level, as one text.
std::string order_of(const toml::table& table) {
  std::string text = "{";
  for (const Member& member : members_of(table)) {
    text += member.name;
    if (const auto* inner = member.value->as_table()) text += order_of(*inner);
    text += ' ';
  }
  return text + "}";
}

void expect_same_after_round_trip(const std::string& path) {
  const std::string json = json_of_toml_file(path);
  const std::string toml = toml_of_json_file(ScratchModel(json, ".json").path());
  const ScratchModel again(toml);
  const toml::table before = parse_document(read_text(path, {}), path),
                    after = parse_document(read_text(again.path(), {}), again.path());
  EXPECT_EQ(before, after) << toml;
  EXPECT_EQ(order_of(before), order_of(after)) << toml;
  EXPECT_EQ(json_of_toml_file(again.path()), json);
}

TEST(Convert, EveryExampleComesBackTheSame) {
  const std::filesystem::path root = RAAK_SOURCES;
  int files = 0;
  for (const char* folder : {"examples", "examples/parts", "src/modelfile/templates"})
    for (const auto& entry : std::filesystem::directory_iterator(root / folder)) {
      if (entry.path().extension() != ".toml") continue;
      SCOPED_TRACE(entry.path());
      expect_same_after_round_trip(entry.path().string());
      ++files;
    }
  EXPECT_GE(files, 27);
}

TEST(Convert, KeepsTypesDatesAndStrangeKeys) {
  const ScratchModel file(R"toml(whole = 3
real = 3.0
tiny = 1e-320
big = 9223372036854775807
minus = -0.0
endless = [inf, -inf]
yes = true
day = 1979-05-27
moment = 1979-05-27T07:32:00.5-07:00
clock = 07:32:00
text = "a\"b\\c\n\t\u0001 µ"
mixed = [1, 2.0, "x", [true, {a = 1}]]
"a key" = { "" = 1, "x.y" = 2, bare-1_a = 3 }
[empty]
[z.first]
q = 1
[a]
x = { y = { z = [] } }
w = 1
v = { long = "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789" }
)toml");
  expect_same_after_round_trip(file.path());
}

TEST(Convert, WritesTextsThatPeopleCanRead) {
  const nlohmann::ordered_json document = {{"joints", {{"A", {{"type", "revolute"}, {"pins", {"ground.A", "rod.A"}}}}}},
                                           {"format", "raak/1"}};
  EXPECT_EQ(toml_text(document),
            "format = \"raak/1\"\n\n[joints]\nA = { type = \"revolute\", pins = [\"ground.A\", \"rod.A\"] }\n");
}

void expect_refused(const std::string& json, const std::string& place, const std::string& words) {
  const ScratchModel file(json, ".json");
  try {
    toml_of_json_file(file.path());
    ADD_FAILURE() << "was not refused: " << json;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::model_file);
    const std::string message = error.what();
    EXPECT_NE(message.find(".json:" + place), std::string::npos) << message;
    EXPECT_NE(message.find(words), std::string::npos) << message;
  }
}

TEST(Convert, TellsWhereJsonIsWrong) {
  expect_refused("{\n  \"a\": nul\n}", "2:", "no JSON");
  expect_refused("{\n  \"a\": null\n}", "2:", "null");
  expect_refused("{\"a\": 1,\n \"a\": 2}", "2:", "\"a\" is given twice");
  expect_refused("{\"a\": 99999999999999999999}", "1:", "64 bits");
  expect_refused("[1]", "1:", "braces");
  expect_refused("", "1:", "no JSON");
  expect_refused("{\"a\": 1e999}", "1:", "");
  expect_refused(std::string(300, '['), "1:", "");
}

TEST(Convert, RefusesWhatWouldBeNoToml) {
  const ScratchModel file("{\"a\": {\"$toml\": \"garbage = 1\"}}\n");
  EXPECT_THROW(toml_of_json_file(file.path()), Error);
}

TEST(Convert, RefusesAKeyThatMeansSomethingElseInJson) {
  const ScratchModel file("x = { \"$toml\" = \"1\" }\n");
  EXPECT_THROW(json_of_toml_file(file.path()), Error);
}

}  // namespace
}  // namespace raak
