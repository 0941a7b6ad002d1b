#include "output/partial_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

#include "base/error.h"

namespace raak {
namespace {

// Fails if the name cannot be freed.
int create(const std::filesystem::path& name, int access) {
  unlink(name.c_str());
  return open(name.c_str(), access | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
}

}  // namespace

void refuse_writing(const std::filesystem::path& path, int code) {
  throw Error(ErrorKind::request,
              "cannot write \"" + path.string() + "\": " + std::error_code(code, std::generic_category()).message());
}

std::filesystem::path partial_path(const std::filesystem::path& path) {
  return path.string() + ".partial";
}

PartialFile::PartialFile(std::filesystem::path path)
    : path_(std::move(path)), descriptor_(create(partial_path(path_), O_WRONLY)) {
  if (descriptor_ < 0) refuse(errno);
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
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) refuse(errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void PartialFile::keep() {
  const int closed = close(std::exchange(descriptor_, -1));
  if (closed != 0) refuse(errno);
  if (std::rename(partial_path(path_).c_str(), path_.c_str()) != 0) refuse(errno);
  kept_ = true;
}

int open_nameless(const std::filesystem::path& beside) {
  const std::filesystem::path name = partial_path(beside);
  const int descriptor = create(name, O_RDWR);
  if (descriptor < 0) refuse_writing(beside, errno);
  unlink(name.c_str());
  return descriptor;
}

}  // namespace raak
