#include "study/sweep/store/block.h"

#include <fmt/format.h>

#include <cstring>

#include "base/archive.h"
#include "base/error.h"
#include "output/folder/own_name.h"
#include "output/folder/partial_file.h"
#include "output/formats/zip.h"

namespace raak {
namespace {

constexpr std::size_t most_causes = 255;

void visit(Archive& archive, Block& block) {
  archive.name("raak-block/1");
  archive(block.plan, block.index, block.first, block.width, block.values, block.outcome, block.processor);
  std::uint64_t causes = block.causes.size();
  archive(causes);
  if (archive.is_loading()) block.causes.resize(static_cast<std::size_t>(std::min<std::uint64_t>(causes, most_causes)));
  for (BlockCause& each : block.causes) archive(each.cause, each.message, each.first_case);
}

std::string checksum_of(std::string_view bytes) {
  return fmt::format("{:08x}", crc32(bytes));
}

}  // namespace

std::span<double> Block::add_case() {
  values.resize(values.size() + width);
  return {values.data() + values.size() - width, static_cast<std::size_t>(width)};
}

void Block::end_case(const std::string& cause, const std::string& message) {
  const std::uint64_t i = first + cases();
  if (cause.empty()) return outcome.push_back(0);
  std::size_t place = 0;
  while (place < causes.size() && causes[place].cause != cause) ++place;
  if (place == causes.size()) causes.push_back({cause, message, i});
  outcome.push_back(static_cast<std::uint8_t>(place + 1));
}

ReadBlock read_block(const std::filesystem::path& file) {
  std::error_code absent;
  if (std::filesystem::is_directory(file, absent))
    return {.block = {}, .flaw = "it is a folder and no file; move it away", .is_in_the_way = true};
  if (!std::filesystem::exists(file, absent)) return {};
  std::string bytes = bytes_in(file);
  constexpr std::size_t mark = 8;
  if (bytes.size() < mark) return {.block = {}, .flaw = "it is cut short"};
  const std::string found = bytes.substr(bytes.size() - mark);
  bytes.resize(bytes.size() - mark);
  if (checksum_of(bytes) != found) return {.block = {}, .flaw = "its checksum is wrong"};
  try {
    Archive archive(std::move(bytes));
    Block block;
    visit(archive, block);
    if (!archive.is_at_end() || block.values.size() != block.width * block.cases())
      return {.block = {}, .flaw = "its parts do not fit"};
    return {std::move(block), ""};
  } catch (const Error&) {
    return {.block = {}, .flaw = "its parts do not fit"};
  }
}

void write_block(const std::filesystem::path& file, const Block& block) {
  Archive archive;
  Block copy = block;
  visit(archive, copy);
  try {
    write_in_one(file, archive.bytes() + checksum_of(archive.bytes()), OnDisk::later);
  } catch (const CannotWrite& error) {
    // Somebody else had completed the block, and took this for the leftover of a dead process of another host.
    const ReadBlock there = error.is_gone() ? read_block(file) : ReadBlock();
    if (!there.block || there.block->plan != block.plan || there.block->outcome.size() != block.outcome.size())
      throw Error(ErrorKind::computation, error.what());
  } catch (const Error& error) {
    throw Error(ErrorKind::computation, error.what());
  }
}

}  // namespace raak
