#include "output/folder/file_marks.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>

#include "base/error.h"
#include "base/text/text.h"
#include "output/folder/naming.h"
#include "output/folder/own_name.h"
#include "output/folder/partial_file.h"
#include "output/folder/stored_file.h"
#include "output/formats/json.h"
#include "output/formats/zip.h"
#include "output/formats/zip_reader.h"

namespace raak {
namespace {

namespace fs = std::filesystem;

constexpr std::streamoff marked_bytes = 65536;

// What a run that did not come to its end was writing.
std::vector<std::string> partial_files(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code unreadable;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, unreadable))
    if (entry.path().extension() == ".partial") names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

std::string word_of(const Json& document, const char* key) {
  const auto found = document.find(key);
  return found != document.end() && found->is_string() ? found->get<std::string>() : std::string();
}

Json file_mark(const fs::path& file) {
  std::ifstream stream = open_stored(file, std::ios::binary | std::ios::ate);
  if (!stream) return nullptr;
  const std::streamoff size = stream.tellg();
  std::string bytes(static_cast<std::size_t>(std::min(size, 2 * marked_bytes)), '\0');
  const std::streamoff head = std::min(size, marked_bytes), tail = static_cast<std::streamoff>(bytes.size()) - head;
  stream.seekg(0);
  stream.read(bytes.data(), head);
  stream.seekg(size - tail);
  stream.read(bytes.data() + head, tail);
  if (!stream) return nullptr;
  return {{"bytes", size}, {"crc", fmt::format("{:08x}", crc32(bytes))}};
}

Json marks_of_partial_files(const fs::path& folder, const std::vector<std::string>& names) {
  Json marks = Json::object();
  for (const std::string& name : names)
    if (Json mark = file_mark(partial_path(folder / name)); mark.is_object()) marks[name] = std::move(mark);
  return marks;
}

std::vector<std::string> listed_files(const Json& document) {
  std::vector<std::string> names;
  const auto files = document.is_object() ? document.find("files") : document.end();
  if (files == document.end() || !files->is_object()) return names;
  for (const auto& [name, mark] : files->items())
    if (fs::path(name).filename() == name) names.push_back(name);  // nothing outside the folder
  return names;
}

std::vector<std::string> foreign_files(const fs::path& folder, const Json& document) {
  std::vector<std::string> foreign;
  const std::vector<std::string> listed = listed_files(document);
  for (const std::string& name : listed) {
    const Json mark = file_mark(folder / name);
    if (mark.is_object() && mark != document.at("files").at(name)) foreign.push_back(name);
  }
  std::error_code unreadable;
  if (!listed.empty())
    for (const std::string& name : result_file_names())
      if (std::find(listed.begin(), listed.end(), name) == listed.end() && fs::exists(folder / name, unreadable))
        foreign.push_back(name);
  return foreign;
}

Json read_run_document(const fs::path& folder) {
  complete_naming(folder);
  const fs::path file = folder / "run.json";
  const std::string text = bytes_in(file);
  if (text.empty()) {
    const std::vector<std::string> halves = partial_files(folder);
    if (!halves.empty())
      refuse_file(file,
                  fmt::format("is missing or empty: a run is under way here or was killed, and left {}, as far as it "
                              "came. Wait for it, or run the model again with --out \"{}\"",
                              join(halves), folder.string()));
    refuse_file(file, "is missing or empty; name the --out folder of an earlier raak run");
  }
  Json document = parsed_json(text);
  if (!document.is_object())
    refuse_file(file, "is damaged: it is no JSON document, so it was cut short or changed. Run the model again");
  if (word_of(document, "model").empty() || !word_of(document, "program").starts_with("raak "))
    refuse_file(file, "was not written by raak run");
  return document;
}

Json sound_mark(const fs::path& folder, const std::string& name) {
  const Json document = parsed_json(bytes_in(folder / "run.json"));
  const std::vector<std::string> listed = listed_files(document);
  if (std::find(listed.begin(), listed.end(), name) == listed.end()) return nullptr;
  Json mark = file_mark(folder / name);
  return mark == document.at("files").at(name) ? mark : Json();
}

namespace {

bool has_bytes(const fs::path& file) {
  std::error_code unreadable;
  return fs::file_size(file, unreadable) > 0 && !unreadable;
}

}  // namespace

std::string rows_file(const fs::path& folder, const Json& document) {
  if (!has_bytes(folder / "result.npz") && sound_mark(folder, "result.csv").is_object()) return "result.csv";
  require_arrays(folder, document);
  return "result.npz";
}

void require_arrays(const fs::path& folder, const Json& document) {
  const fs::path arrays = folder / "result.npz";
  if (has_bytes(arrays)) return;
  const auto missing = document.find("missing");
  const std::string why =
      missing != document.end() && missing->is_object() ? word_of(*missing, "result.npz") : std::string();
  const std::vector<std::string> listed = listed_files(document);
  const bool unwanted = why.empty() && !listed.empty() && !holds(listed, "result.npz");
  const bool in_table = sound_mark(folder, "result.csv").is_object();
  std::string rows;
  if (in_table || sound_mark(folder, "result.h5").is_object())
    rows = fmt::format("the rows are in \"{}\", but the picture and the steps are not. ",
                       (folder / (in_table ? "result.csv" : "result.h5")).string());
  if (in_table)
    rows += fmt::format("For the rows in another format: raak convert \"{}\" --out FILE.h5. ", folder.string());
  refuse_file(arrays, fmt::format("is missing or empty{}; {}{} the model again{}: {}",
                                  unwanted      ? ": --format did not choose it"
                                  : why.empty() ? ""
                                                : fmt::format(": it could not be written ({})", why),
                                  rows, rows.empty() ? "run" : "For the rest run",
                                  unwanted      ? ", with npz among the names of --format"
                                  : why.empty() ? ""
                                                : ", where there is more room",
                                  word_of(document, "command")));
}

void require_one_run(const fs::path& folder, const Json& document) {
  const std::vector<std::string> foreign = foreign_files(folder, document);
  if (std::find(foreign.begin(), foreign.end(), "result.npz") == foreign.end()) return;
  ZipReader(folder / "result.npz").require_sound();  // damage has a message of its own
  refuse_file(folder / "result.npz",
              fmt::format("is not the file that run.json lists: files of two runs are mixed, as when a run is killed "
                          "while it writes, or the file was changed. Run it again: {}",
                          word_of(document, "command")));
}

}  // namespace raak
