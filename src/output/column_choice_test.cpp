#include "output/column_choice.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace raak {
namespace {

const std::vector<std::string> columns{"t", "q.x", "q.y", "v.x", "F.x", "energy.input", "violation.position"};

TEST(ColumnChoice, KeepsTheOrderThatWasAskedFor) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(chosen_columns({"F.x", "y", "v.x"}, columns), (Names{"F.x", "q.y", "v.x"}));
  EXPECT_EQ(chosen_columns({"t", "violation", "q"}, columns), (Names{"violation.position", "q.x", "q.y"}));
}

TEST(ColumnChoice, RefusesWhatIsUnknownOrThereAlready) {
  const std::pair<std::vector<std::string>, const char*> wrong[] = {
      {{"F.xx"}, "--columns: no quantity is called \"F.xx\"; did you mean \"F.x\"?"},
      {{"F.x", "t"}, "--columns: t is the first column"},
      {{"q", "q.x"}, "--columns: \"q.x\" asks for q.x a second time"},
      {{"x", "q.x"}, "--columns: \"q.x\" asks for q.x a second time"},
      {{"t"}, "--columns: expected at least one column beside t"}};
  for (const auto& [names, words] : wrong) {
    try {
      chosen_columns(names, columns);
      ADD_FAILURE() << names.front();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::request);
      EXPECT_TRUE(std::string(error.what()).starts_with(words)) << error.what();
    }
  }
}

}  // namespace
}  // namespace raak
