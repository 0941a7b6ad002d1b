#include "output/folder/folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <system_error>

#include "base/error.h"
#include "output/folder/naming.h"
#include "output/folder/own_name.h"
#include "output/formats/json.h"

namespace raak {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_folder(const fs::path& path, const std::string& why) {
  throw Error(ErrorKind::request, "cannot write to \"" + path.string() + "\": " + why);
}

bool is_run_document(const fs::path& file) {
  const Json document = parsed_json(bytes_in(file));
  if (!document.is_object()) return false;
  const auto program = document.find("program");
  return program != document.end() && program->is_string() && program->get<std::string>().starts_with("raak ");
}

// A run that was killed leaves its partial files and no run.json.
bool holds_only_partial_files(const fs::path& folder) {
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const fs::path ending = entry.path().extension();
    if (!entry.is_regular_file() || (ending != ".partial" && ending != ".checkpoint")) return false;
  }
  return true;
}

// A folder with something in it stays.
void remove_empty(const std::vector<fs::path>& folders) {
  std::error_code not_empty;
  for (const fs::path& folder : folders) fs::remove(folder, not_empty);
}

}  // namespace

OutputFolder::OutputFolder(fs::path path, std::string_view document) : path_(std::move(path)) {
  if (path_.empty()) refuse_folder(path_, "the name of the folder is empty");
  try {
    if (fs::exists(path_)) {
      if (!fs::is_directory(path_)) refuse_folder(path_, "it exists and is not a folder");
      lock();
      remove_leftovers(path_);
      if (is_run_document(naming_path(path_))) complete_naming_locked(path_);
      if (!holds_only_partial_files(path_) && !is_run_document(path_ / document)) {
        refuse_folder(path_, "the folder is not empty and holds no earlier run of raak; name another --out");
      }
      return;
    }
    fs::path so_far;
    for (const fs::path& part : path_) {
      so_far /= part;
      if (fs::create_directory(so_far)) created_.insert(created_.begin(), so_far);
    }
    lock();
  } catch (const fs::filesystem_error& error) {
    unlock();
    remove_empty(created_);
    refuse_folder(path_, error.code().message());
  } catch (const Error&) {
    unlock();
    throw;
  }
}

// The lock goes with the process, however it ends.
void OutputFolder::lock() {
  lock_ = open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (lock_ >= 0 && flock(lock_, LOCK_EX | LOCK_NB) != 0) {
    unlock();
    refuse_folder(path_, "another run is writing to it; wait for it, or name another --out");
  }
}

void OutputFolder::unlock() {
  if (lock_ >= 0) close(lock_);
  lock_ = -1;
}

OutputFolder::~OutputFolder() {
  unlock();
  remove_empty(created_);
}

namespace {

// As a shell redirects to it.
void write_into(const fs::path& file, std::string_view text) {
  const int descriptor = open(file.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOCTTY);
  if (descriptor < 0) refuse_writing(file, errno);
  int code = 0;
  while (!text.empty() && code == 0) {
    const ssize_t written = write(descriptor, text.data(), text.size());
    if (written >= 0) text.remove_prefix(static_cast<std::size_t>(written));
    else if (errno != EINTR) code = errno;
  }
  if (close(descriptor) != 0 && code == 0) code = errno;
  if (code != 0) refuse_writing(file, code);
}

}  // namespace

void write_file(const fs::path& file, std::string_view text) {
  std::error_code unreadable;
  if (is_no_plain_file(file) || fs::is_symlink(fs::symlink_status(file, unreadable))) return write_into(file, text);
  write_in_one(file, text);
}

void OutputFolder::prepare(std::string_view name, std::string_view text) const {
  PartialFile partial(path_ / name);
  partial.write(text);
  partial.seal();
}

void OutputFolder::remove(std::string_view name) const {
  std::error_code absent;
  fs::remove(path_ / name, absent);
}

}  // namespace raak
