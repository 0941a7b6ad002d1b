// Blocks come back to the bit, and every byte that is changed is noticed.
#include "study/sweep/store/block.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>

namespace raak {
namespace {

namespace fs = std::filesystem;

const fs::path file = fs::path(testing::TempDir()) / "block_test.block";

Block example() {
  Block block{.plan = 42, .index = 3, .first = 12, .width = 2};
  block.processor = "a processor";
  for (int i = 0; i < 4; ++i) {
    const auto values = block.add_case();
    values[0] = i / 3.0;
    values[1] = i == 2 ? std::nan("") : -0.0;
    block.end_case(i == 2 ? "stiffness" : "", "it is stiff");
  }
  return block;
}

std::string bytes_in(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST(Block, ComesBackToTheBit) {
  const Block block = example();
  write_block(file, block);
  const ReadBlock read = read_block(file);
  ASSERT_TRUE(read.block) << read.flaw;
  ASSERT_EQ(read.block->values.size(), block.values.size());
  EXPECT_EQ(std::memcmp(read.block->values.data(), block.values.data(), 8 * block.values.size()), 0);
  EXPECT_EQ(read.block->outcome, block.outcome);
  EXPECT_EQ(read.block->first, 12U);
  ASSERT_NE(read.block->cause_of(2), nullptr);
  EXPECT_EQ(read.block->cause_of(2)->cause, "stiffness");
  EXPECT_EQ(read.block->cause_of(2)->first_case, 14U);
  EXPECT_EQ(read.block->cause_of(1), nullptr);
}

TEST(Block, NoticesEveryByteThatChanges) {
  write_block(file, example());
  const std::string bytes = bytes_in(file);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
    std::ofstream(file, std::ios::binary) << damaged;
    const ReadBlock read = read_block(file);
    EXPECT_FALSE(read.block) << i;
    EXPECT_FALSE(read.flaw.empty());
  }
  for (const std::size_t length : {std::size_t{0}, std::size_t{7}, bytes.size() / 2, bytes.size() - 1}) {
    std::ofstream(file, std::ios::binary) << bytes.substr(0, length);
    EXPECT_FALSE(read_block(file).block) << length;
  }
  fs::remove(file);
  EXPECT_FALSE(read_block(file).block);
  EXPECT_TRUE(read_block(file).flaw.empty());
}

TEST(Block, IsNotAFolder) {
  fs::remove_all(file);
  fs::create_directory(file);
  const ReadBlock read = read_block(file);
  EXPECT_FALSE(read.block);
  EXPECT_TRUE(read.is_in_the_way);
  EXPECT_NE(read.flaw.find("move it away"), std::string::npos) << read.flaw;
  fs::remove(file);
}

}  // namespace
}  // namespace raak
