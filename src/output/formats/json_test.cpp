#include "output/formats/json.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/text/text.h"
#include "output/catalogue.h"
#include "output/test_support.h"

namespace raak {
namespace {

Result sample_result() {
  Result result;
  result.method = "dop853";
  result.form = Form::index1;
  result.start = State::of_size(2, 1);
  result.end = State::of_size(2, 1);
  result.end.t = 0.03;
  result.end.q << 0.1, std::numeric_limits<double>::quiet_NaN();
  result.statistics.steps = 7;
  result.quality.energy_drift = std::numeric_limits<double>::infinity();
  return result;
}

TEST(Json, HoldsTheFieldsThatScriptsRelyOn) {
  const auto system = make_bead();
  RunRecord record{"raak 1.2.3", "bead", "default", "auto", Tolerances::uniform(1e-8, 1e-9), {}};
  record.digits.scd = 9.5;
  const Json document = Json::parse(text_of(run_document(record, *system, sample_result())));
  for (const char* key : {"model", "run", "method", "formulation", "rtol", "atol", "status", "message", "t_start",
                          "t_end", "statistics", "quality", "names", "names_v", "final", "outputs"}) {
    EXPECT_TRUE(document.contains(key)) << key;
  }
  EXPECT_EQ(document["method"], "auto");
  EXPECT_EQ(document["method_used"], "dop853");
  EXPECT_EQ(document["status"], "ok");
  EXPECT_EQ(document["rtol"], 1e-8);
  EXPECT_EQ(document["atol"], 1e-9);
  EXPECT_EQ(document["statistics"]["steps"], 7);
  EXPECT_EQ(document["quality"]["scd"], 9.5);
  EXPECT_EQ(document["names"], Json({"x", "y"}));
  EXPECT_EQ(document["final"]["q"][0], 0.1);
  EXPECT_EQ(document["program"], "raak 1.2.3");
}

TEST(Json, WritesNullForWhatIsNotFiniteOrNotKnown) {
  const auto system = make_bead();
  RunRecord record{"raak", "bead", "default", "auto", {}, {}};
  record.tolerances.lambda.atol = std::numeric_limits<double>::infinity();
  const Json document = run_document(record, *system, sample_result());
  EXPECT_TRUE(document["final"]["q"][1].is_null());
  EXPECT_TRUE(document["quality"]["energy_drift"].is_null());
  EXPECT_TRUE(document["quality"]["mescd_published"].is_null());
  EXPECT_TRUE(document["tolerances"]["lambda"]["atol"].is_null());
}

TEST(Json, TellsWhyReactionsAreNull) {
  const auto system = make_bead();
  RunRecord record{"raak", "bead", "default", "auto", {}, {}};
  record.mobility = std::make_shared<MobilityReport>();
  Result result = sample_result();
  EXPECT_EQ(run_document(record, *system, result)["reactions"]["unique"], true);
  EXPECT_EQ(run_document(record, *system, result)["reactions"]["reason"], "");
  result.end.lambda[0] = std::numeric_limits<double>::quiet_NaN();
  const Json singular = run_document(record, *system, result)["reactions"];
  EXPECT_EQ(singular["unique"], false);
  EXPECT_NE(singular["reason"].get<std::string>().find("singular"), std::string::npos);
}

TEST(Json, NumbersReadBackToTheBit) {
  for (const double value : {0.1, 1.0 / 3.0, 15.810771195153707, 5e-324, -2.2250738585072014e-308}) {
    EXPECT_EQ(Json::parse(text_of(number_or_null(value))).get<double>(), value);
  }
}

TEST(Json, SurvivesTextThatIsNotUtf8) {
  const std::string text = text_of(Json{{"message", "no model is called \"\xff\""}});
  EXPECT_TRUE(Json::accept(text));
}

TEST(Json, EveryWayToEndHasItsStatus) {
  EXPECT_STREQ(status_name(Termination::ok), "ok");
  EXPECT_STREQ(status_name(Termination::failed), "failed");
  EXPECT_STREQ(status_name(Termination::interrupted), "interrupted");
}

TEST(Formats, AreDistinctAndSaySomething) {
  std::vector<std::string> names;
  for (const FormatInfo& format : format_catalogue()) {
    EXPECT_FALSE(format.summary.empty());
    EXPECT_FALSE(format.files.empty());
    EXPECT_FALSE(holds(names, format.name)) << format.name;
    names.push_back(format.name);
  }
}

}  // namespace
}  // namespace raak
