#include "cli/terminal/terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "base/text/utf8.h"
#include "base/text/visible_text.h"
#include "base/text/wrap.h"
#include "output/formats/json.h"
#include "study/explain/failed_start.h"

namespace raak::cli {

namespace {

constexpr int usual_columns = 80;

int columns_of(int descriptor) {
  winsize size{};
  if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return usual_columns;
}

bool colours_wanted() {
  const char* const off = std::getenv("NO_COLOR");
  const char* const terminal = std::getenv("TERM");
  return (off == nullptr || *off == '\0') && (terminal == nullptr || std::string(terminal) != "dumb");
}

}  // namespace

void print_data(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
}

void print_row(const std::string& line) {
  using Clock = std::chrono::steady_clock;
  constexpr auto patience = std::chrono::milliseconds(200);
  static Clock::time_point next = Clock::now();
  print_data(line);
  const auto now = Clock::now();
  if (now < next) return;
  std::fflush(stdout);
  next = now + patience;
}

void print_path(const std::string& path) {
  print_data((isatty(STDOUT_FILENO) != 0 ? visible_line(path) : path) + "\n");
}

bool error_is_watched() {
  return isatty(STDERR_FILENO) != 0;
}

int error_columns() {
  return columns_of(STDERR_FILENO);
}

void complain(const std::string& message) {
  std::string line = fmt::format("raak: {}\n", visible_line(message));
  if (error_is_watched()) line = wrap(line, static_cast<std::size_t>(std::max(10, error_columns())));
  if (error_is_watched() && colours_wanted()) line.replace(0, 5, "\033[1;31mraak:\033[0m");
  std::fwrite(line.data(), 1, line.size(), stderr);
}

void replace_line(const std::string& text) {
  if (!error_is_watched()) return;
  const std::string line = "\r\033[K" + visible_line(text);
  std::fwrite(line.data(), 1, line.size(), stderr);
  std::fflush(stderr);
}

void show_progress(const std::string& text) {
  const std::string line = visible_line(text) + " ...";
  replace_line(std::string(utf8_prefix(line, static_cast<std::size_t>(std::max(1, error_columns() - 1)))));
}

void hide_progress() {
  replace_line("");
}

std::size_t output_columns() {
  if (isatty(STDOUT_FILENO) == 0) return std::string::npos / 2;
  return static_cast<std::size_t>(std::max(10, columns_of(STDOUT_FILENO)));
}

void print_text(const std::string& text) {
  print_data(wrap(visible_text(text), output_columns()));
}

void print_styled(const std::string& given) {
  const std::string text = visible_text(given);
  if (isatty(STDOUT_FILENO) == 0) return print_data(text);
  if (!colours_wanted()) return print_data(wrap(text, output_columns()));
  // What is a label is seen before a narrow window takes the gap behind it.
  std::string styled;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const std::string line = text.substr(start, end - start);
    const std::string fitting = wrap(line, output_columns());
    const std::size_t gap =
        line.size() > 2 && line.starts_with("  ") && line[2] != ' ' ? line.find("  ", 2) : std::string::npos;
    if (start == 0) {
      const std::size_t title = fitting.find('\n');
      styled += "\033[1m" + fitting.substr(0, title) + "\033[0m" + fitting.substr(title);
    } else if (gap != std::string::npos && fitting.starts_with(line.substr(0, gap))) {
      styled += "\033[2m" + fitting.substr(0, gap) + "\033[0m" + fitting.substr(gap);
    } else {
      styled += fitting;
    }
    start = end + 1;
  }
  print_data(styled);
}

void report_error(const std::string& message, int exit_code, bool json) {
  if (json) print_data(text_of(Json{{"status", "error"}, {"message", message}, {"exit_code", exit_code}}));
  else complain(message);
}

namespace {

Json error_document(const Error& error) {
  Json document{{"status", "error"}, {"message", error.what()}, {"exit_code", static_cast<int>(error.kind())}};
  if (const auto* failure = dynamic_cast<const StartFailure*>(&error); failure != nullptr && !failure->open().empty()) {
    document["open"] = Json::array();
    for (const OpenJoint& joint : failure->open())
      document["open"].push_back({{"name", joint.name}, {"gap", number_or_null(joint.gap)}, {"unit", joint.unit}});
  }
  return document;
}

}  // namespace

void report_error(const Error& error, bool json) {
  if (json) print_data(text_of(error_document(error)));
  else complain(error.what());
}

void report_refused_start(const Error& error, const Explanation& why, bool json) {
  if (!json) {
    const std::string what = finding_and_advice(error).first;
    return complain(fmt::format("{}{} Cause: {}. Try: {}", what, what.ends_with('.') ? "" : ".", cause_name(why.cause),
                                why.advice));
  }
  Json document = error_document(error);
  document["message"] = finding_and_advice(error).first;
  document["cause"] = cause_name(why.cause);
  document["advice"] = why.advice;
  document["diagnosis"] = diagnosis_document(why.diagnosis);
  print_data(text_of(document));
}

bool output_arrived() {
  return std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
}

}  // namespace raak::cli
