#include "cli/terminal.h"

#include <unistd.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "output/json.h"

namespace raak::cli {

const std::string& program_name() {
  static const std::string name = std::string("raak ") + RAAK_VERSION;
  return name;
}

void print(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
}

void complain(const std::string& message) {
  const std::string line = "raak: " + message + "\n";
  std::fwrite(line.data(), 1, line.size(), stderr);
}

void show_progress(const std::string& text) {
  if (isatty(STDERR_FILENO) == 0) return;
  const std::string line = "\r\033[K" + text + " ...";
  std::fwrite(line.data(), 1, line.size(), stderr);
}

void hide_progress() {
  if (isatty(STDERR_FILENO) != 0) std::fputs("\r\033[K", stderr);
}

void report_error(const std::string& message, int exit_code, bool json) {
  if (json) print(text_of(Json{{"status", "error"}, {"message", message}, {"exit_code", exit_code}}));
  else complain(message);
}

bool output_arrived() {
  return std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
}

}  // namespace raak::cli
