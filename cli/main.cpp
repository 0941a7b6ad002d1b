// `raak`: what is asked for is done, and what goes wrong becomes a message and an exit code.
#include <algorithm>
#include <csignal>
#include <new>
#include <string>

#include "base/error.h"
#include "cli/own_stack.h"
#include "cli/request/command_line.h"
#include "cli/terminal/terminal.h"

namespace raak::cli {
namespace {

int guarded_main(int argc, char** argv) {
  const bool json = std::find(argv, argv + argc, std::string("--json")) != argv + argc;
  int code = 0;
  try {
    CommandLine line;
    code = line.parse(argc, argv)();
  } catch (const Error& error) {
    code = static_cast<int>(error.kind());
    report_error(error, json);
  } catch (const std::bad_alloc&) {
    code = static_cast<int>(ErrorKind::computation);
    report_error("there is not enough memory for this model or request (a limit may be set: ulimit -v)", code, json);
  } catch (const std::exception& error) {
    code = static_cast<int>(ErrorKind::internal);
    report_error(std::string("internal error: ") + error.what(), code, json);
  }
  if (output_arrived()) return code;
  complain("cannot write to standard output");
  return code == 0 ? static_cast<int>(ErrorKind::request) : code;
}

}  // namespace
}  // namespace raak::cli

int main(int argc, char** argv) {
  // A reader such as `head` may leave early: end quietly, as other commands do, even if the parent ignores the signal.
  std::signal(SIGPIPE, SIG_DFL);
  // A file that reaches the limit on its size (ulimit -f) is an error of writing, with a message, and no sudden end.
  std::signal(SIGXFSZ, SIG_IGN);
  return raak::cli::on_sufficient_stack([&] { return raak::cli::guarded_main(argc, argv); });
}
