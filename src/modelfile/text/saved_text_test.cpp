// Files with other values of their parameters.
#include "modelfile/text/saved_text.h"

#include <gtest/gtest.h>

#include <fstream>

namespace raak {
namespace {

TEST(SavedText, writes_values_in_place_and_keeps_comments) {
  const std::string text = "[parameters]\nk = 3 # é, N/m\nm = 'k*2'\n[runs.a]\nset = { k = 5 }\n";
  EXPECT_EQ(saved_text(text, "x.toml", {{"k", "7"}, {"m", "1e-3"}}, "."),
            "[parameters]\nk = 7.0 # é, N/m\nm = 1e-3\n[runs.a]\nset = { k = 7.0 }\n");
  EXPECT_EQ(saved_text(text, "x.toml", {}, "."), text);
}

TEST(SavedText, leaves_out_references_that_belong_to_other_values) {
  const std::string text = "[parameters]\nk = 3\n[references.a]\nvalues = { x = 1.0 }\n";
  EXPECT_EQ(saved_text(text, "x.toml", {}, "/tmp"), text);
  EXPECT_EQ(saved_text(text, "x.toml", {{"k", "7"}}, "."), "\n[parameters]\nk = 7.0\n");
}

TEST(SavedText, finds_named_files_from_the_new_folder) {
  const std::string text = "[references.a]\nfile = 'b.csv'\n";
  EXPECT_EQ(saved_text(text, "/models/x.toml", {}, "/models"), text);
  EXPECT_EQ(saved_text(text, "x.toml", {}, "."), text);  // from its own folder
  EXPECT_EQ(saved_text(text, "/models/x.toml", {}, "/else"), "\n[references]\na = { file = \"../models/b.csv\" }\n");
}

TEST(TextAlone, leaves_references_out_and_else_the_text_as_it_is) {
  const std::string text = "# mine\n[parameters]\nk = 3 # N/m\n";
  EXPECT_EQ(text_alone(text, "x.toml"), text);
  EXPECT_EQ(text_alone("[parameters]\nk = 3.0\n[references]\na = { file = \"b.csv\" }\n", "x.toml"),
            "\n[parameters]\nk = 3.0\n");
}

TEST(TextAlone, takes_what_is_included_beside_a_text_that_lies_in_no_file) {
  const std::string part = testing::TempDir() + "text_alone_part.toml";
  std::ofstream(part) << "[parameters]\nk = 3.0\n";
  const std::string text = "include = \"" + part + "\"\n[bodies.a]\nmass = \"k\"\n";
  EXPECT_EQ(text_alone(text, "text"), "\n[parameters]\nk = 3.0\n\n[bodies]\na = { mass = \"k\" }\n");
}

}  // namespace
}  // namespace raak
