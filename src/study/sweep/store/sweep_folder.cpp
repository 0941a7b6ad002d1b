#include "study/sweep/store/sweep_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/version.h"
#include "output/folder/own_name.h"
#include "output/formats/json.h"
#include "study/sweep/design/case_table.h"
#include "study/sweep/store/changes.h"
#include "study/sweep/store/processor.h"

namespace raak {
namespace {

namespace fs = std::filesystem;

constexpr const char* passport_name = "sweep.json";
constexpr const char* folder_format = "raak-sweep-folder/1";

std::string hex(std::uint64_t number) {
  return fmt::format("{:016x}", number);
}

std::string input_name(std::size_t i) {
  return fmt::format("inputs/{:03d}", i);
}

// What goes wrong on the disk while a sweep goes on is nothing that was asked wrongly.
template <class F>
void as_computation(F&& f) {
  try {
    f();
  } catch (const Error& error) {
    throw Error(ErrorKind::computation, error.what());
  }
}

}  // namespace

Blocks blocks_of(const SweptModel& swept) {
  constexpr std::uint64_t most_bytes = std::uint64_t{1} << 25;
  const std::uint64_t cases = swept.design.cases();
  if (swept.plan.block) return {cases, *swept.plan.block};
  // About 64 blocks, so that threads share them evenly; more of very many cases, so that a kill costs little.
  const std::uint64_t size = std::clamp<std::uint64_t>(cases / 64, 1, 1 << 16);
  const std::uint64_t fits = std::max<std::uint64_t>(1, most_bytes / (8 * std::max<std::uint64_t>(1, swept.width)));
  return {cases, std::bit_floor(std::min(size, fits))};
}

Json passport_of(const SweptModel& swept, bool exact) {
  Json passport{{"format", folder_format},       {"program", program_name()},      {"exact", exact},
                {"cases", swept.design.cases()}, {"block", blocks_of(swept).size}, {"plan", plan_document(swept.plan)}};
  Json& files = passport["files"] = Json::array();
  for (std::size_t i = 0; i < swept.files.size(); ++i)
    files.push_back(
        {{"path", swept.files[i].path}, {"copy", input_name(i)}, {"hash", hex(hash_of(swept.files[i].text))}});
  // Which are those of whoever began the folder; blocks have the processor that computed them.
  passport["plan_hash"] = hex(hash_of_passport(passport));
  passport["processor"] = processor_name();
  return passport;
}

std::uint64_t hash_of_passport(const Json& passport) {
  Json matters{{"program", passport.at("program")},
               {"exact", passport.at("exact")},
               {"block", passport.at("block")},
               {"plan", passport.at("plan")}};
  // The plan itself may have other comments.
  for (std::size_t i = 1; i < passport.at("files").size(); ++i)
    matters["files"].push_back(passport.at("files")[i].at("hash"));
  return hash_of(compact_text(matters));
}

SweepFolder::SweepFolder(fs::path path, const SweptModel& swept, bool exact, bool goes_on)
    : SweepFolder(std::move(path), swept, exact) {
  const auto refuse_folder = [&](const std::string& why) {
    refuse("cannot write to \"" + path_.string() + "\": " + why);
  };
  Json passport = passport_of(swept, exact);
  std::error_code failed;
  if (fs::exists(path_ / passport_name, failed)) {
    const std::string changes = changes_of(read_passport(path_), passport, path_, swept.files);
    if (!changes.empty()) refuse_folder(fmt::format("it holds another sweep: {}. Name another --out", changes));
    if (!goes_on)
      refuse_folder(
          "it holds this sweep already, with the blocks that are done: --resume goes on; or name another --out");
    return;
  }
  if (fs::exists(path_, failed) && !fs::is_directory(path_, failed)) refuse_folder("it exists and is not a folder");
  if (fs::exists(path_, failed))
    for (const fs::directory_entry& entry : fs::directory_iterator(path_, failed))
      if (entry.path().filename() != "blocks" && entry.path().filename() != "inputs" &&
          entry.path().extension() != ".partial")
        refuse_folder("the folder is not empty and holds no sweep; name another --out");
  fs::create_directories(path_ / "blocks", failed);
  if (!failed) fs::create_directories(path_ / "inputs", failed);
  if (failed) refuse_folder(failed.message());
  for (std::size_t i = 0; i < swept.files.size(); ++i) write_in_one(path_ / input_name(i), swept.files[i].text);
  write_in_one(path_ / passport_name, text_of(passport));
}

SweepFolder::SweepFolder(fs::path path, const SweptModel& swept, bool exact)
    : BlockStore(hash_of_passport(passport_of(swept, exact)), blocks_of(swept)), path_(std::move(path)) {
  if (path_.empty()) refuse("--out expects the name of a folder");
}

fs::path SweepFolder::file_of(std::uint64_t block) const {
  return path_ / "blocks" / fmt::format("{:07d}.block", block);
}

fs::path SweepFolder::begun_file_of(std::uint64_t block) const {
  return path_ / "blocks" / fmt::format("{:07d}.begun", block);
}

ReadBlock SweepFolder::checked(ReadBlock read, std::uint64_t block, std::uint64_t least) const {
  if (!read.block) return read;
  const Block& found = *read.block;
  if (found.plan != hash()) return {{}, "it belongs to another sweep"};
  if (found.index != block || found.first != blocks().first(block) || found.cases() > blocks().cases_of(block) ||
      found.cases() < least)
    return {{}, "it holds other cases"};
  return read;
}

ReadBlock SweepFolder::read(std::uint64_t block) const {
  return checked(read_block(file_of(block)), block, blocks().cases_of(block));
}

ReadBlock SweepFolder::read_begun(std::uint64_t block) const {
  return checked(read_block(begun_file_of(block)), block, 0);
}

void SweepFolder::write(const Block& block) const {
  write_block(file_of(block.index), block);
  bring_to_disk(file_of(block.index));
  std::error_code absent;
  fs::remove(begun_file_of(block.index), absent);
}

void SweepFolder::write_begun(const Block& block) const {
  write_block(begun_file_of(block.index), block);
  bring_to_disk(begun_file_of(block.index));
}

void SweepFolder::bring_to_disk(const fs::path& file) const {
  as_computation([&] { disk_.add(file); });
}

void SweepFolder::settle() const {
  as_computation([&] { disk_.finish(); });
}

void SweepFolder::remove_leftovers() const {
  raak::remove_leftovers(path_);
  raak::remove_leftovers(path_ / "inputs");
  const fs::path blocks = path_ / "blocks";
  std::error_code failed;
  const auto is_done = [&](const std::string& name) {
    return fs::is_regular_file((blocks / name).replace_extension(".block"), failed);
  };
  raak::remove_leftovers(blocks, is_done);
  for (const fs::directory_entry& entry : fs::directory_iterator(blocks, failed))
    if (entry.path().extension() == ".begun" && is_done(entry.path().filename().string()))
      fs::remove(entry.path(), failed);
}

Json read_passport(const fs::path& folder) {
  const fs::path file = folder / passport_name;
  std::error_code unreadable;
  if (!fs::exists(file, unreadable)) refuse("\"" + folder.string() + "\" holds no sweep: sweep.json is missing in it");
  Json passport = parsed_json(bytes_in(file));
  if (!passport.is_object() || passport.value("format", "") != folder_format || !passport.contains("plan") ||
      !passport.contains("files"))
    refuse("\"" + file.string() + "\" is damaged, or was not written by raak sweep");
  return passport;
}

SweptModel read_stored_sweep(const fs::path& folder) {
  const Json passport = read_passport(folder);
  std::vector<Inputs::File> files;
  for (const Json& each : passport.at("files")) {
    const fs::path copy = folder / each.value("copy", "");
    std::string text = bytes_in(copy);
    if (hex(hash_of(text)) != each.value("hash", ""))
      refuse("\"" + copy.string() + "\" is missing or damaged: it is a copy of \"" + each.value("path", "") + "\"");
    files.push_back({each.value("path", ""), std::move(text)});
  }
  if (files.empty()) refuse("\"" + folder.string() + "\" names no plan");
  std::string plan = files.front().path;
  return read_swept_model(plan, Inputs(std::move(files)));
}

}  // namespace raak
