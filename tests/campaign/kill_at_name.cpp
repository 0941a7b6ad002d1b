// Preloaded into a program, ends it by SIGKILL at the call of its choice among those that name, rename or remove files:
// RAAK_KILL_AT=n counts them from 1, RAAK_KILL_AFTER=1 lets the call happen first. So a kill falls where files change
// their names, however short that is.
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>

namespace {

std::atomic<int> calls{0};

template <class... Arguments>
int counted(const char* name, Arguments... arguments) {
  using Function = int(Arguments...);
  void* const found = dlsym(RTLD_NEXT, name);
  Function* next = nullptr;
  std::memcpy(&next, &found, sizeof next);
  const char* const at = std::getenv("RAAK_KILL_AT");
  const bool now = ++calls == (at == nullptr ? 0 : std::atoi(at));
  if (now && std::getenv("RAAK_KILL_AFTER") == nullptr) kill(getpid(), SIGKILL);
  const int result = next(arguments...);
  if (now) kill(getpid(), SIGKILL);
  return result;
}

}  // namespace

extern "C" {

int rename(const char* from, const char* to) noexcept {
  return counted("rename", from, to);
}
int renameat(int a, const char* from, int b, const char* to) noexcept {
  return counted("renameat", a, from, b, to);
}
int renameat2(int a, const char* from, int b, const char* to, unsigned flags) noexcept {
  return counted("renameat2", a, from, b, to, flags);
}
int link(const char* from, const char* to) noexcept {
  return counted("link", from, to);
}
int symlink(const char* from, const char* to) noexcept {
  return counted("symlink", from, to);
}
int unlink(const char* path) noexcept {
  return counted("unlink", path);
}
int unlinkat(int folder, const char* path, int flags) noexcept {
  return counted("unlinkat", folder, path, flags);
}
int remove(const char* path) noexcept {
  return counted("remove", path);
}
}
