#include "modelfile/read_pipe.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace raak {
namespace {

class Descriptor {
 public:
  // Without waiting for a writer.
  explicit Descriptor(const std::string& path) : number_(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

}  // namespace

PipeEnd read_pipe(const std::string& path, std::size_t most, double patience, std::string& text) {
  const Descriptor pipe(path);
  if (pipe.number() < 0) return PipeEnd::unreadable;
  std::array<char, 65536> part{};
  while (text.size() <= most) {
    pollfd waiting{pipe.number(), POLLIN, 0};
    const int ready = ::poll(&waiting, 1, static_cast<int>(1e3 * patience));
    if (ready == 0) return PipeEnd::silent;
    const ssize_t count = ready < 0 ? -1 : ::read(pipe.number(), part.data(), part.size());
    if (count == 0) return PipeEnd::closed;
    if (count > 0) text.append(part.data(), static_cast<std::size_t>(count));
    else if (errno != EAGAIN && errno != EINTR) return PipeEnd::unreadable;
  }
  return PipeEnd::too_long;
}

}  // namespace raak
