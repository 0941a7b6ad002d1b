#include "output/folder/own_name.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <fstream>

#include "output/folder/partial_file.h"
#include "output/folder/stored_file.h"

namespace raak {
namespace {

namespace fs = std::filesystem;

constexpr const char* first_space = "4026531836";  // of processes: that of the machine itself

std::string host_name() {
  std::array<char, 256> host{};
  if (gethostname(host.data(), host.size() - 1) != 0 || host[0] == '\0') return "host";
  std::string name = std::string(host.data()).substr(0, 32);
  for (char& c : name)
    if (c == '.' || c == '/') c = '-';  // what follows the last dot of a file's own name is the mark
  // Containers may have the name of their host and processes of their own, which others know nothing of.
  std::error_code unknown;
  const std::string space = fs::read_symlink("/proc/self/ns/pid", unknown).string();
  std::string digits;
  for (const char c : space)
    if (c >= '0' && c <= '9') digits += c;
  return digits.empty() || digits == first_space ? name : name + "-" + digits;
}

struct Mark {
  std::string host;
  long process = 0;
};

// "HOST-123-1"; no host: it is none.
Mark mark_of(std::string_view text) {
  const auto cut_number = [&]() -> long {
    const std::size_t dash = text.rfind('-');
    long number = 0;
    if (dash == std::string_view::npos || dash == 0) return 0;
    const std::string_view digits = text.substr(dash + 1);
    const auto [rest, wrong] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (wrong != std::errc() || rest != digits.data() + digits.size()) return 0;
    text = text.substr(0, dash);
    return number;
  };
  if (cut_number() <= 0) return {};
  const long process = cut_number();
  return process > 0 ? Mark{std::string(text), process} : Mark{};
}

}  // namespace

OwnName::OwnName(fs::path file) : file_(std::move(file)) {
  static std::atomic<unsigned long> count = 0;  // threads of a process write the same file, too
  if (is_no_plain_file(file_))
    refuse("cannot write \"" + file_.string() +
           "\": it is a device, a pipe or a socket, and a file would take its place");
  path_ = fmt::format("{}.{}-{}-{}", file_.string(), host_name(), getpid(), ++count);
}

OwnName::~OwnName() {
  if (!path_.empty()) unlink(partial_path(path_).c_str());
}

void OwnName::keep(OnDisk when) {
  if (std::rename(partial_path(path_).c_str(), file_.c_str()) != 0) refuse_writing(file_, errno);
  path_.clear();  // nothing is left to take away
  if (when == OnDisk::now) sync_folder(file_.parent_path());
}

fs::path named_file(const fs::path& path) {
  const std::string name = path.filename().string();
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos || dot == 0) return path;
  const Mark mark = mark_of(std::string_view(name).substr(dot + 1));
  if (mark.host != host_name() || mark.process != getpid()) return path;
  return path.parent_path() / name.substr(0, dot);
}

void write_in_one(const fs::path& file, std::string_view bytes, OnDisk when) {
  OwnName own(file);
  PartialFile partial(own.path());
  partial.write(bytes);
  if (when == OnDisk::now) partial.seal();
  else partial.seal_in_memory();
  own.keep(when);
}

std::string bytes_in(const fs::path& file) {
  std::ifstream stream = open_stored(file);
  std::string bytes;
  std::array<char, 1 << 16> piece{};
  while (stream.read(piece.data(), piece.size()), stream.gcount() > 0)
    bytes.append(piece.data(), static_cast<std::size_t>(stream.gcount()));
  return bytes;
}

void remove_leftovers(const fs::path& folder, const std::function<bool(const std::string& name)>& is_done) {
  std::error_code failed;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, failed)) {
    if (entry.path().extension() != ".partial") continue;
    const std::string name = entry.path().stem().string();
    const std::size_t dot = name.rfind('.');
    if (dot == std::string::npos) continue;
    const Mark mark = mark_of(std::string_view(name).substr(dot + 1));
    if (mark.host.empty()) continue;
    const bool is_left = mark.host == host_name() ? kill(static_cast<pid_t>(mark.process), 0) != 0 && errno == ESRCH
                                                  : is_done && is_done(name.substr(0, dot));
    if (is_left) unlink(entry.path().c_str());
  }
}

}  // namespace raak
