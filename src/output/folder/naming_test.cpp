// A run that is killed at any step of naming its files leaves the old results or the new ones whole.
#include "output/folder/naming.h"

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "output/folder/file_marks.h"
#include "output/folder/folder.h"
#include "output/test_support.h"

namespace raak {
namespace {

namespace fs = std::filesystem;

using Files = std::map<std::string, std::string>;

Files files_in(const fs::path& folder) {
  Files found;
  for (const auto& entry : fs::directory_iterator(folder)) found[entry.path().filename().string()] = text_in(entry);
  return found;
}

// The run writes these; its document is returned.
Json prepare(const fs::path& folder, const Files& files, const std::string& command) {
  std::vector<std::string> names;
  for (const auto& [name, text] : files) {
    put_text(partial_path(folder / name), text);
    names.push_back(name);
  }
  return {
      {"program", "raak test"}, {"model", "m"}, {"command", command}, {"files", marks_of_partial_files(folder, names)}};
}

// The middle of a long file is not looked at: it costs time, and what ends well was written whole.
TEST(FileMark, ChangesWithTheSizeTheBeginningAndTheEnd) {
  const ScratchFolder scratch;
  const fs::path file = scratch / "a";
  for (const std::size_t size : {1U, 1000U, 65536U, 65537U, 100000U, 131072U, 400000U}) {
    const std::string text(size, 'x');
    put_text(file, text);
    const Json mark = file_mark(file);
    EXPECT_EQ(mark.at("bytes"), size);
    EXPECT_EQ(file_mark(file), mark);
    for (const std::size_t place : {std::size_t{0}, std::min<std::size_t>(size, 65536) - 1, size - 1}) {
      std::string other = text;
      other[place] = 'y';
      put_text(file, other);
      EXPECT_NE(file_mark(file), mark) << size << " at " << place;
    }
    put_text(file, text + "x");
    EXPECT_NE(file_mark(file), mark);
  }
  EXPECT_TRUE(file_mark(scratch / "none").is_null());
}

const Files old_files{{"result.csv", "old rows"}, {"result.npz", "old arrays"}, {"q.svg", "old picture"}};
const Files new_files{{"result.csv", "rows"},
                      {"result.npz", "arrays"},
                      {"result.h5", "more"},
                      {"report.html", "page"},
                      {"v.svg", "<svg>"}};

class KilledNaming : public testing::Test {
 protected:
  KilledNaming() {
    fs::create_directory(folder_);
    name_files(folder_, prepare(folder_, old_files, "old"));
    before_ = files_in(folder_);
    put_text(folder_ / "notes.txt", "mine");
  }
  Files without_partial_files() const {
    Files found = files_in(folder_);
    found.erase("notes.txt");
    std::erase_if(found, [](const auto& file) { return file.first.ends_with(".partial"); });
    return found;
  }

  ScratchFolder scratch_;
  fs::path folder_ = scratch_ / "a";
  Files before_;
};

TEST_F(KilledNaming, BeforeTheFirstNameLeavesTheOldResults) {
  prepare(folder_, new_files, "new");
  EXPECT_FALSE(complete_naming(folder_));
  EXPECT_EQ(without_partial_files(), before_);
  EXPECT_EQ(foreign_files(folder_, read_run_document(folder_)), std::vector<std::string>{});
}

TEST_F(KilledNaming, AtAnyStepIsCompletedToTheNewResults) {
  std::size_t steps = 1;
  for (std::size_t done = 0; done < steps; ++done) {
    fs::remove_all(folder_);
    fs::create_directory(folder_);
    name_files(folder_, prepare(folder_, old_files, "old"));
    const Json document = prepare(folder_, new_files, "new");
    put_text(naming_path(folder_), text_of(document));
    const auto list = naming_steps(folder_, document);
    steps = list.size();
    for (std::size_t i = 0; i < done; ++i) list[i]();
    EXPECT_EQ(read_run_document(folder_).at("command"), "new") << done << " steps were done";
    Files expected = new_files;
    expected["run.json"] = text_of(document);
    EXPECT_EQ(files_in(folder_), expected) << done << " steps were done";
    EXPECT_FALSE(complete_naming(folder_));
    EXPECT_EQ(foreign_files(folder_, read_run_document(folder_)), std::vector<std::string>{});
  }
  EXPECT_GE(steps, 8U);  // five names, a picture that goes, the document, the disk
}

TEST_F(KilledNaming, IsCompletedByTheNextRunBeforeItBegins) {
  const Json document = prepare(folder_, new_files, "new");
  put_text(naming_path(folder_), text_of(document));
  naming_steps(folder_, document).front()();
  { const OutputFolder next(folder_); }
  EXPECT_EQ(read_run_document(folder_).at("command"), "new");
  EXPECT_EQ(text_in(folder_ / "result.h5"), "more");
  EXPECT_EQ(text_in(folder_ / "notes.txt"), "mine");
}

TEST_F(KilledNaming, IsNotTouchedWhileARunIsAtIt) {
  const OutputFolder other(folder_);
  const Json document = prepare(folder_, new_files, "new");
  put_text(naming_path(folder_), text_of(document));
  EXPECT_THROW(complete_naming(folder_), Error);
  EXPECT_EQ(text_in(folder_ / "result.csv"), "old rows");
}

TEST_F(KilledNaming, WithPartialFilesOfALaterRunTakesOnlyItsOwn) {
  const Json document = prepare(folder_, new_files, "new");
  put_text(naming_path(folder_), text_of(document));
  for (const auto& step : naming_steps(folder_, document)) step();
  put_text(naming_path(folder_), text_of(document));  // before its last step
  put_text(partial_path(folder_ / "result.csv"), "of a later run");
  EXPECT_TRUE(complete_naming(folder_));
  EXPECT_EQ(text_in(folder_ / "result.csv"), "rows");
}

TEST_F(KilledNaming, AResultOfAnotherRunIsForeignWhetherListedOrNot) {
  put_text(folder_ / "result.h5", "of another run");
  put_text(folder_ / "result.npz", "of another run");
  const Json document = read_run_document(folder_);
  EXPECT_EQ(foreign_files(folder_, document), (std::vector<std::string>{"result.npz", "result.h5"}));
  EXPECT_THROW(require_one_run(folder_, document), Error);
}

}  // namespace
}  // namespace raak
