// Where the blocks of a sweep are kept that are done: in a folder (sweep_folder.h), or in memory.
#pragma once
#include <algorithm>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "base/error.h"
#include "study/sweep/store/block.h"

namespace raak {

// How the cases of a sweep are cut into blocks.
struct Blocks {
  std::uint64_t cases = 0, size = 1;
  std::uint64_t count() const { return (cases + size - 1) / size; }
  std::uint64_t first(std::uint64_t block) const { return block * size; }
  std::uint64_t cases_of(std::uint64_t block) const { return std::min(size, cases - first(block)); }
};

// Any thread may read and write.
class BlockStore {
 public:
  BlockStore(std::uint64_t hash, Blocks blocks) : hash_(hash), blocks_(blocks) {}
  virtual ~BlockStore() = default;
  BlockStore(const BlockStore&) = delete;
  BlockStore& operator=(const BlockStore&) = delete;

  // Of the sweep that the blocks belong to.
  std::uint64_t hash() const { return hash_; }
  const Blocks& blocks() const { return blocks_; }

  // For messages: of the store, and of a block.
  virtual std::string name() const = 0;
  virtual std::string name_of(std::uint64_t block) const = 0;
  // What runs a case once more; # stands for its number.
  virtual std::string repeats_a_case() const = 0;
  // A block of this sweep that is whole; else why not (empty: it is not there).
  virtual ReadBlock read(std::uint64_t block) const = 0;
  // One that was interrupted: its first cases.
  virtual ReadBlock read_begun(std::uint64_t block) const = 0;
  virtual void write(const Block& block) const = 0;
  virtual void write_begun(const Block& block) const = 0;
  // Waits until what was written is where it stays.
  virtual void settle() const {}

  // Blocks that are missing or damaged; `complain` is called with what is wrong of each damaged one.
  template <class Complain>
  std::vector<std::uint64_t> missing(const Complain& complain) const {
    std::vector<std::uint64_t> found;
    for (std::uint64_t b = 0; b < blocks_.count(); ++b) {
      const ReadBlock read_one = read(b);
      if (read_one.block) continue;
      if (read_one.is_in_the_way) refuse("\"" + name_of(b) + "\" is damaged: " + read_one.flaw);
      found.push_back(b);
      if (!read_one.flaw.empty()) complain("\"" + name_of(b) + "\" is damaged: " + read_one.flaw);
    }
    return found;
  }

  // Cases that are done, those of blocks that were interrupted among them.
  std::uint64_t done() const {
    std::uint64_t cases = 0;
    for (std::uint64_t b = 0; b < blocks_.count(); ++b) {
      ReadBlock found = read(b);
      if (!found.block) found = read_begun(b);
      if (found.block) cases += found.block->cases();
    }
    return cases;
  }

 private:
  std::uint64_t hash_;
  Blocks blocks_;
};

class BlocksInMemory final : public BlockStore {
 public:
  explicit BlocksInMemory(Blocks blocks) : BlockStore(0, blocks) {}

  std::string name() const override { return "memory"; }
  std::string name_of(std::uint64_t block) const override { return "block " + std::to_string(block); }
  std::string repeats_a_case() const override { return "sweep.run(#)"; }
  ReadBlock read(std::uint64_t block) const override { return found(whole_, block); }
  ReadBlock read_begun(std::uint64_t block) const override { return found(begun_, block); }
  void write(const Block& block) const override { keep(whole_, block); }
  void write_begun(const Block& block) const override { keep(begun_, block); }

 private:
  using Kept = std::map<std::uint64_t, Block>;
  ReadBlock found(const Kept& blocks, std::uint64_t block) const {
    const std::scoped_lock lock(mutex_);
    const auto known = blocks.find(block);
    return known == blocks.end() ? ReadBlock() : ReadBlock{known->second, ""};
  }
  void keep(Kept& blocks, const Block& block) const {
    const std::scoped_lock lock(mutex_);
    blocks.insert_or_assign(block.index, block);
  }

  mutable std::mutex mutex_;
  mutable Kept whole_, begun_;
};

}  // namespace raak
