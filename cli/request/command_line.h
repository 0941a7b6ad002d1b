// The command line of `raak`: which command is asked for with which options, and words that are none.
#pragma once
#include <functional>
#include <memory>

namespace raak::cli {

class CommandLine {
 public:
  CommandLine();
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  // What the words ask for: it returns the exit code. Mistakes are thrown as Error. It lives as long as this and until
  // the next call.
  std::function<int()> parse(int argc, const char* const* argv);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace raak::cli
