#include "modelfile/read_patiently.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <poll.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace raak {
namespace {

class Descriptor {
 public:
  // Without waiting for a writer.
  explicit Descriptor(const std::string& path)
      : number_(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

bool is_made_by_kernel(int descriptor) {
  struct statfs system {};
  if (::fstatfs(descriptor, &system) != 0) return false;
  return system.f_type == PROC_SUPER_MAGIC || system.f_type == SYSFS_MAGIC || system.f_type == DEBUGFS_MAGIC ||
         system.f_type == TRACEFS_MAGIC;
}

}  // namespace

ReadingEnd read_patiently(const std::string& path, std::size_t most, double patience, std::string& text) {
  const Descriptor file(path);
  if (file.number() < 0) return ReadingEnd::unreadable;
  if (is_made_by_kernel(file.number())) return ReadingEnd::not_stored;
  std::array<char, 16384> part{};
  while (text.size() <= most) {
    pollfd waiting{file.number(), POLLIN, 0};
    const int ready = ::poll(&waiting, 1, static_cast<int>(1e3 * patience));
    if (ready == 0) return ReadingEnd::silent;
    const ssize_t count = ready < 0 ? -1 : ::read(file.number(), part.data(), part.size());
    if (count == 0) return ReadingEnd::complete;
    if (count > 0) text.append(part.data(), static_cast<std::size_t>(count));
    else if (errno != EAGAIN && errno != EINTR) return ReadingEnd::unreadable;
  }
  return ReadingEnd::too_long;
}

}  // namespace raak
