// Whoever writes the same file at the same moment, it is whole; and what dead processes left goes.
#include "output/folder/own_name.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "base/error.h"
#include "output/folder/folder.h"
#include "output/test_support.h"

namespace raak {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    names.push_back(entry.path().filename().string());
  return names;
}

TEST(OwnName, ManyWriteOneFileAtOnce) {
  const ScratchFolder scratch;
  const auto text_of = [](int i) { return std::string(100'000, static_cast<char>('a' + i)); };
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&, i] {
      for (int again = 0; again < 20; ++again) EXPECT_NO_THROW(write_file(scratch / "summary.json", text_of(i)));
    });
  for (std::thread& thread : threads) thread.join();
  const std::string text = text_in(scratch / "summary.json");
  EXPECT_EQ(text, text_of(text.front() - 'a'));
  EXPECT_EQ(names_in(scratch / "").size(), 1U);
}

TEST(OwnName, IsNotWhatMessagesTell) {
  const ScratchFolder scratch;
  try {
    write_file(scratch / "none" / "a.json", "x");
    FAIL() << "there is no such folder";
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()),
              "cannot write \"" + (scratch / "none" / "a.json").string() + "\": No such file or directory");
  }
  EXPECT_EQ(named_file("a.b/c-1-2.csv"), "a.b/c-1-2.csv");
  EXPECT_EQ(named_file(OwnName("a/b.csv").path()), "a/b.csv");
}

TEST(OwnName, LeavesNothingBehindWithoutKeep) {
  const ScratchFolder scratch;
  {
    const OwnName own(scratch / "a.csv");
    put_text(partial_path(own.path()), "half");
  }
  EXPECT_TRUE(fs::is_empty(scratch / ""));
}

// The name that a process had which has ended.
fs::path dead_name(const fs::path& file) {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  waitpid(child, nullptr, 0);
  std::string name = OwnName(file).path().string();
  const std::string own = "-" + std::to_string(getpid()) + "-";
  return partial_path(name.replace(name.rfind(own), own.size(), "-" + std::to_string(child) + "-"));
}

TEST(Leftovers, OfDeadProcessesGo) {
  const ScratchFolder scratch;
  put_text(dead_name(scratch / "a.csv"), "half");
  put_text(scratch / "b.csv.partial", "of a run that may be resumed");
  put_text(scratch / "1.block.elsewhere-12-1.partial", "of another host, whose block is complete");
  put_text(scratch / "2.block.elsewhere-12-1.partial", "of another host, which may write it just now");
  const OwnName own(scratch / "c.csv");
  put_text(partial_path(own.path()), "of a process that lives");
  remove_leftovers(scratch / "", [](const std::string& name) { return name == "1.block"; });
  EXPECT_EQ(names_in(scratch / "").size(), 3U);
  EXPECT_TRUE(fs::exists(scratch / "b.csv.partial"));
  EXPECT_TRUE(fs::exists(scratch / "2.block.elsewhere-12-1.partial"));
  EXPECT_TRUE(fs::exists(partial_path(own.path())));
}

TEST(Leftovers, OfAKilledWriterGoWithTheNextRun) {
  const ScratchFolder scratch;
  put_text(dead_name(scratch / "report.html"), "half");
  const OutputFolder folder(scratch / "");
  EXPECT_TRUE(fs::is_empty(scratch / ""));
}

TEST(BytesIn, OfAFolderAreNone) {
  const ScratchFolder scratch;
  fs::create_directory(scratch / "run.json");
  put_text(scratch / "a", "x\ny");
  EXPECT_EQ(bytes_in(scratch / "run.json"), "");
  EXPECT_EQ(bytes_in(scratch / "none"), "");
  EXPECT_EQ(bytes_in(scratch / "a"), "x\ny");
}

}  // namespace
}  // namespace raak
