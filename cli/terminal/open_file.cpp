#include "cli/terminal/open_file.h"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>

#include <array>

#include "cli/terminal/terminal.h"

extern char** environ;

namespace raak::cli {

void open_file(const std::string& path) {
  std::string program = "xdg-open", file = path;
  const std::array<char*, 3> arguments{program.data(), file.data(), nullptr};
  // What the opener prints is not ours.
  posix_spawn_file_actions_t quiet;
  posix_spawn_file_actions_init(&quiet);
  posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", 1, 0);
  posix_spawn_file_actions_addopen(&quiet, 2, "/dev/null", 1, 0);
  pid_t opener = 0;
  const int refused = posix_spawnp(&opener, program.c_str(), &quiet, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&quiet);
  int status = 0;
  if (refused != 0) complain(fmt::format("cannot open {}: there is no xdg-open (Debian package xdg-utils)", path));
  else if (waitpid(opener, &status, 0) == opener && status != 0) complain(fmt::format("xdg-open cannot open {}", path));
}

}  // namespace raak::cli
