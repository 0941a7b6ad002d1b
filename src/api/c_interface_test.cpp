#include <gtest/gtest.h>
#include <raak/raak_c.h>

#include <string>

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

}  // namespace
