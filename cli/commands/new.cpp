// `raak new`: a commented model file to start from. What is there already stays.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>

#include "base/error.h"
#include "base/text/text.h"
#include "cli/commands/commands.h"
#include "cli/request/arguments.h"
#include "cli/terminal/terminal.h"
#include "modelfile/templates.h"
#include "output/formats/json.h"

namespace raak::cli {
namespace {

namespace fs = std::filesystem;

const TemplateInfo& choose_template(const NewOptions& options) {
  const std::vector<std::string> names = template_names();
  if (options.name.empty()) throw Error(ErrorKind::request, "name a template. There are: " + join(names));
  if (options.from) return find_template(*options.from);
  try {
    return find_template(options.name);
  } catch (const Error& error) {
    throw Error(error.kind(), fmt::format("{}. A file of that name: raak new {} --template pendulum", error.what(),
                                          shell_word(options.name)));
  }
}

std::optional<long> read_count(const std::optional<std::string>& text) {
  if (!text) return std::nullopt;
  const double count = read_positive("--count", *text);
  if (count != std::floor(count))
    throw Error(ErrorKind::request, fmt::format("--count expects a whole number, found \"{}\"", *text));
  return std::lround(std::min(count, 1e15));  // too many of anything: the template states its range
}

fs::path file_of(const NewOptions& options) {
  const std::string own = options.name.ends_with(".toml") ? options.name : options.name + ".toml";
  if (!options.out) return own;
  if (options.out->empty()) throw Error(ErrorKind::request, "--out expects the name of a file");
  std::error_code unreadable;
  return fs::is_directory(*options.out, unreadable) ? fs::path(*options.out) / own : fs::path(*options.out);
}

// Fails if anything has that name, a dangling link included.
void write_new_file(const fs::path& file, const std::string& text) {
  const auto refuse = [&](int code) {
    const std::string why = code == EEXIST ? "it exists, and raak new never overwrites; name another with --out FILE"
                                           : std::error_code(code, std::generic_category()).message();
    throw Error(ErrorKind::request, fmt::format("cannot write \"{}\": {}", file.string(), why));
  };
  const int descriptor = open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor < 0) refuse(errno);
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t more = write(descriptor, text.data() + written, text.size() - written);
    if (more < 0) {
      const int code = errno;
      close(descriptor);
      unlink(file.c_str());
      refuse(code);
    }
    written += static_cast<std::size_t>(more);
  }
  if (close(descriptor) != 0) refuse(errno);
}

}  // namespace

int new_file(const NewOptions& options) {
  const TemplateInfo& chosen = choose_template(options);
  const std::string text = template_text(chosen, read_count(options.count));
  const fs::path file = file_of(options);
  write_new_file(file, text);
  if (options.json) {
    print_data(
        text_of(Json{{"status", "ok"}, {"file", file.string()}, {"template", chosen.name}, {"bytes", text.size()}}));
  } else {
    const std::string word = shell_word(file.string());
    print_path(file.string());
    print_text(fmt::format("next: raak run {0} --out results, raak check {0}, raak list joints\n", word));
  }
  return 0;
}

}  // namespace raak::cli
