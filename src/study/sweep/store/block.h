// A block of cases with their results: what a thread or a rank computes at a time, and a file of it that never changes:
// complete under a name of its own, then renamed; with a checksum over all of it, which tells whether it has arrived.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace raak {

// Why cases of a block failed, with the first of them.
struct BlockCause {
  std::string cause, message;
  std::uint64_t first_case = 0;
};

struct Block {
  std::uint64_t plan = 0;  // hash
  std::uint64_t index = 0, first = 0, width = 0;
  std::vector<double> values = {};         // case by case
  std::vector<std::uint8_t> outcome = {};  // of each case: 0 ok, else 1 + the place of its cause
  std::vector<BlockCause> causes = {};
  std::string processor = {};  // that computed it

  std::uint64_t cases() const { return outcome.size(); }
  std::span<double> add_case();
  void end_case(const std::string& cause, const std::string& message);
  // Nothing where it came to its end.
  const BlockCause* cause_of(std::uint64_t i) const {
    return outcome[i] == 0 ? nullptr : &causes[static_cast<std::size_t>(outcome[i]) - 1];
  }
};

// What a block file is found to be.
struct ReadBlock {
  std::optional<Block> block = {};
  std::string flaw = {};       // where there is no block: why; empty: there is no file
  bool is_in_the_way = false;  // no block can take its place
};
ReadBlock read_block(const std::filesystem::path& file);

// Throws a computation error where it cannot be written, and leaves nothing behind. On its way to the disk when this
// returns (disk_thread.h).
void write_block(const std::filesystem::path& file, const Block& block);

}  // namespace raak
