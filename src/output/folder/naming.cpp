#include "output/folder/naming.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <system_error>

#include "base/error.h"
#include "output/catalogue.h"
#include "output/folder/file_marks.h"
#include "output/folder/own_name.h"
#include "output/folder/partial_file.h"
#include "output/formats/json.h"

namespace raak {
namespace {

namespace fs = std::filesystem;

Json document_in(const fs::path& file) {
  return parsed_json(bytes_in(file));
}

void rename_file(const fs::path& from, const fs::path& to) {
  if (std::rename(from.c_str(), to.c_str()) != 0) refuse_writing(to, errno);
}

void remove_file(const fs::path& file) {
  std::error_code absent;
  fs::remove(file, absent);
}

bool lists(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

fs::path naming_path(const fs::path& folder) {
  return folder / "run.json.naming";
}

const std::vector<std::string>& result_file_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> found{"report.html", "trace.csv", "partitions.csv"};
    for (const FormatInfo* format : table_formats()) found.push_back(format->files.front());
    return found;
  }();
  return names;
}

std::vector<std::function<void()>> naming_steps(const fs::path& folder, const Json& document) {
  std::vector<std::function<void()>> steps;
  const std::vector<std::string> named = listed_files(document);
  for (const std::string& name : named) {
    const fs::path partial = partial_path(folder / name);
    // One that is not the listed one is of a later run, which was killed too.
    if (file_mark(partial) == document.at("files").at(name))
      steps.emplace_back([=] { rename_file(partial, folder / name); });
  }
  std::vector<std::string> gone = listed_files(document_in(folder / "run.json"));
  for (const std::string& name : result_file_names())
    if (!lists(gone, name)) gone.push_back(name);
  std::error_code unreadable;
  for (const std::string& name : gone)
    if (!lists(named, name) && name != "run.json" && fs::exists(folder / name, unreadable))
      steps.emplace_back([=] { remove_file(folder / name); });
  steps.emplace_back([=] { sync_folder(folder); });
  steps.emplace_back([=] { rename_file(naming_path(folder), folder / "run.json"); });
  steps.emplace_back([=] { sync_folder(folder); });
  return steps;
}

void name_files(const fs::path& folder, const Json& document) {
  PartialFile journal(naming_path(folder));
  journal.write(text_of(document));
  journal.keep();
  for (const auto& step : naming_steps(folder, document)) step();
}

bool complete_naming_locked(const fs::path& folder) {
  std::error_code absent;
  if (!fs::exists(naming_path(folder), absent)) return false;
  const Json document = document_in(naming_path(folder));
  if (!document.is_object())
    throw Error(ErrorKind::request,
                fmt::format("\"{}\" is damaged: it is no JSON document. Remove it, and run the model again",
                            naming_path(folder).string()));
  for (const auto& step : naming_steps(folder, document)) step();
  return true;
}

bool complete_naming(const fs::path& folder) {
  std::error_code absent;
  if (!fs::exists(naming_path(folder), absent)) return false;
  const int lock = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const bool locked = lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0;
  const auto release = [&] {
    if (lock >= 0) close(lock);
  };
  try {
    if (!locked)
      throw Error(ErrorKind::request,
                  fmt::format("a run is writing to \"{}\" just now: wait until it has ended", folder.string()));
    const bool completed = complete_naming_locked(folder);
    release();
    return completed;
  } catch (const Error& error) {
    release();
    throw Error(
        ErrorKind::request,
        fmt::format("a run was stopped while it named its files in \"{}\", and that cannot be completed here: {}",
                    folder.string(), error.what()));
  }
}

}  // namespace raak
