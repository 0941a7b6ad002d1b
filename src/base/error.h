// What can go wrong, sorted by who can mend it; the kinds are the exit codes of the command.
#pragma once
#include <stdexcept>
#include <string>

namespace raak {

enum class ErrorKind {
  model_file = 1,    // wrong in a model file
  request = 2,       // wrong on the command line or in a call: a name, a value, a folder
  computation = 3,   // the computation failed: assembly, integration
  unmet_check = 4,   // a check was not met
  internal = 70,     // a defect of Raak itself
  interrupted = 130  // stopped by the user
};

class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  ErrorKind kind() const { return kind_; }

 private:
  ErrorKind kind_;
};

[[noreturn]] inline void refuse(const std::string& message) {
  throw Error(ErrorKind::request, message);
}

}  // namespace raak
