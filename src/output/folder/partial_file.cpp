#include "output/folder/partial_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "output/folder/own_name.h"

namespace raak {
namespace {

// Fails if the name cannot be freed.
int create(const std::filesystem::path& name) {
  unlink(name.c_str());
  return open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
}

// Some file systems have nothing to bring to a disk, and say that it cannot be done.
bool sync_descriptor(int descriptor) {
  return fsync(descriptor) == 0 || errno == EINVAL || errno == ENOSYS || errno == EROFS;
}

}  // namespace

void refuse_file(const std::filesystem::path& file, const std::string& why) {
  refuse("\"" + file.string() + "\" " + why);
}

void refuse_writing(const std::filesystem::path& path, int code) {
  const std::string hint = code == EFBIG ? ": it has reached the limit on the size of a file (ulimit -f)" : "";
  throw CannotWrite("cannot write \"" + named_file(path).string() +
                        "\": " + std::error_code(code, std::generic_category()).message() + hint,
                    code);
}

bool is_no_plain_file(const std::filesystem::path& path) {
  std::error_code unreadable;
  return std::filesystem::is_other(std::filesystem::symlink_status(path, unreadable));
}

std::filesystem::path partial_path(const std::filesystem::path& path) {
  return path.string() + ".partial";
}

void sync_folder(const std::filesystem::path& folder) {
  const int descriptor = open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;  // a folder that may be written but not read
  const bool done = sync_descriptor(descriptor);
  const int code = errno;
  close(descriptor);
  if (!done) refuse_writing(folder, code);
}

void sync_file(const std::filesystem::path& file) {
  const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) {
    if (errno == ENOENT) return;
    refuse_writing(file, errno);
  }
  const bool done = sync_descriptor(descriptor);
  const int code = errno;
  close(descriptor);
  if (!done) refuse_writing(file, code);
}

bool write_fully(int descriptor, std::uint64_t offset, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = pwrite(descriptor, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
    offset += static_cast<std::uint64_t>(written);
  }
  return true;
}

std::int64_t read_fully(int descriptor, std::uint64_t offset, char* bytes, std::size_t count) {
  std::size_t done = 0;
  while (done < count) {
    const ssize_t read = pread(descriptor, bytes + done, count - done, static_cast<off_t>(offset + done));
    if (read < 0 && errno == EINTR) continue;
    if (read < 0) return -1;
    if (read == 0) break;
    done += static_cast<std::size_t>(read);
  }
  return static_cast<std::int64_t>(done);
}

PartialFile::PartialFile(std::filesystem::path path) : path_(std::move(path)) {
  if (is_no_plain_file(path_))
    throw Error(ErrorKind::request, "cannot write \"" + path_.string() +
                                        "\": it is a device, a pipe or a socket, and a file would take its place");
  descriptor_ = create(partial_path(path_));
  if (descriptor_ < 0) refuse(errno);
}

PartialFile::PartialFile(std::filesystem::path path, std::uint64_t size)
    : path_(std::move(path)),
      descriptor_(open(partial_path(path_).c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC)),
      kept_(true) {
  if (descriptor_ < 0) refuse(errno);
  const off_t end = lseek(descriptor_, 0, SEEK_END);
  if (end < 0 || static_cast<std::uint64_t>(end) < size) {
    close(descriptor_);
    throw Error(ErrorKind::request,
                "\"" + partial_path(path_).string() + "\" is shorter than the checkpoint says: " + std::to_string(end) +
                    " bytes of " + std::to_string(size) + "; the run cannot be resumed. Run it again");
  }
  cut(size);
  kept_ = false;
}

PartialFile::~PartialFile() {
  if (descriptor_ >= 0) close(descriptor_);
  if (!kept_) unlink(partial_path(path_).c_str());
}

void PartialFile::refuse(int code) const {
  refuse_writing(path_, code);
}

void PartialFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(size_));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) refuse(errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
    size_ += static_cast<std::uint64_t>(written);
  }
}

void PartialFile::write_at(std::uint64_t offset, std::string_view bytes) {
  if (!write_fully(descriptor_, offset, bytes)) refuse(errno);
  size_ = std::max(size_, offset + bytes.size());
}

std::string PartialFile::read_at(std::uint64_t offset, std::size_t count) const {
  std::string bytes(count, '\0');
  const std::int64_t read = read_fully(descriptor_, offset, bytes.data(), count);
  if (read < 0) refuse(errno);
  bytes.resize(static_cast<std::size_t>(read));
  return bytes;
}

void PartialFile::cut(std::uint64_t size) {
  if (ftruncate(descriptor_, static_cast<off_t>(size)) != 0) refuse(errno);
  size_ = size;
}

void PartialFile::sync() {
  if (!sync_descriptor(descriptor_)) refuse(errno);
}

void PartialFile::seal() {
  sync();
  seal_in_memory();
}

void PartialFile::seal_in_memory() {
  const int closed = close(std::exchange(descriptor_, -1));
  if (closed != 0) refuse(errno);
  kept_ = true;
}

void PartialFile::keep() {
  seal();
  keep_sealed(path_);
}

void keep_sealed(const std::filesystem::path& path) {
  const std::filesystem::path partial = partial_path(path);
  if (std::rename(partial.c_str(), path.c_str()) != 0) {
    const int code = errno;
    unlink(partial.c_str());
    refuse_writing(path, code);
  }
  sync_folder(path.parent_path());
}

int open_nameless(const std::filesystem::path& beside) {
  const std::filesystem::path name = partial_path(OwnName(beside).path());
  const int descriptor = create(name);
  if (descriptor < 0) refuse_writing(beside, errno);
  unlink(name.c_str());
  return descriptor;
}

}  // namespace raak
