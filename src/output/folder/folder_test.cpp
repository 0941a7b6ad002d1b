#include "output/folder/folder.h"

#include "base/error.h"
#include "output/test_support.h"

namespace raak {
namespace {

std::string refusal(const std::filesystem::path& path) {
  try {
    const OutputFolder folder(path);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::request);
    return error.what();
  }
  return "";
}

TEST(OutputFolder, IsCreatedWithItsParents) {
  const ScratchFolder scratch;
  const OutputFolder folder(scratch / "a/b/c");
  folder.write("run.json", "{}");
  EXPECT_EQ(text_in(scratch / "a/b/c/run.json"), "{}");
  EXPECT_FALSE(std::filesystem::exists(partial_path(scratch / "a/b/c/run.json")));
}

TEST(OutputFolder, GoesAgainWhenNothingWasWritten) {
  const ScratchFolder scratch;
  { const OutputFolder folder(scratch / "a/b"); }
  EXPECT_FALSE(std::filesystem::exists(scratch / "a"));
}

TEST(OutputFolder, ServesOneRunAtATime) {
  const ScratchFolder scratch;
  {
    const OutputFolder folder(scratch / "a");
    EXPECT_NE(refusal(scratch / "a").find("another run is writing to it"), std::string::npos);
  }
  EXPECT_EQ(refusal(scratch / "a"), "");
}

TEST(OutputFolder, StaysWhenItWasThereBefore) {
  const ScratchFolder scratch;
  std::filesystem::create_directory(scratch / "a");
  { const OutputFolder folder(scratch / "a"); }
  EXPECT_TRUE(std::filesystem::exists(scratch / "a"));
}

TEST(OutputFolder, OfAnEarlierRunIsReplacedFileByFile) {
  const ScratchFolder scratch;
  std::filesystem::create_directory(scratch / "a");
  put_text(scratch / "a/run.json", R"({"program": "raak 0.1.0"})");
  put_text(scratch / "a/notes.txt", "mine");
  const OutputFolder folder(scratch / "a");
  EXPECT_EQ(text_in(scratch / "a/run.json"), R"({"program": "raak 0.1.0"})");
  folder.write("run.json", "new");
  folder.remove("trace.csv");
  EXPECT_EQ(text_in(scratch / "a/run.json"), "new");
  EXPECT_EQ(text_in(scratch / "a/notes.txt"), "mine");
}

TEST(OutputFolder, OfAKilledRunIsAccepted) {
  const ScratchFolder scratch;
  std::filesystem::create_directory(scratch / "a");
  put_text(scratch / "a/result.csv.partial", "t\n");
  EXPECT_EQ(refusal(scratch / "a"), "");
}

TEST(OutputFolder, WithAnythingElseIsRefusedAndLeftAsItIs) {
  const ScratchFolder scratch;
  std::filesystem::create_directory(scratch / "a");
  put_text(scratch / "a/thesis.tex", "x");
  EXPECT_NE(refusal(scratch / "a").find("not empty"), std::string::npos);
  put_text(scratch / "a/run.json", R"({"program": "other"})");
  EXPECT_NE(refusal(scratch / "a").find("not empty"), std::string::npos);
  put_text(scratch / "a/run.json", "[1, ");
  EXPECT_NE(refusal(scratch / "a").find("not empty"), std::string::npos);
  EXPECT_EQ(text_in(scratch / "a/thesis.tex"), "x");
}

TEST(OutputFolder, ThatCannotBeIsRefused) {
  const ScratchFolder scratch;
  put_text(scratch / "file", "x");
  EXPECT_NE(refusal(scratch / "file").find("not a folder"), std::string::npos);
  EXPECT_NE(refusal(scratch / "file/inside"), "");
  EXPECT_NE(refusal(""), "");
  EXPECT_EQ(text_in(scratch / "file"), "x");
}

// Someone else's link in a shared folder must not lead our words elsewhere.
TEST(Folder, ALinkWithAPartialNameIsNotFollowed) {
  const ScratchFolder scratch;
  put_text(scratch / "precious", "keep me");
  std::filesystem::create_symlink(scratch / "precious", partial_path(scratch / "a.txt"));
  PartialFile file(scratch / "a.txt");
  file.write("new");
  file.keep();
  EXPECT_EQ(text_in(scratch / "precious"), "keep me");
  EXPECT_EQ(text_in(scratch / "a.txt"), "new");
  EXPECT_FALSE(std::filesystem::is_symlink(scratch / "a.txt"));
}

}  // namespace
}  // namespace raak
