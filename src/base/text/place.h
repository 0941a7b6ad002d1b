// A place in a file, for messages that lead the user to it.
#pragma once
#include <string>

#include "base/error.h"

namespace raak {

struct Place {
  std::string file;
  int line = 0;  // from 1; 0: the file as a whole
  int column = 0;

  std::string text() const {
    return line == 0 ? file : file + ":" + std::to_string(line) + ":" + std::to_string(column);
  }
};

// Throws `file:line:column: message` as an error of the model file.
[[noreturn]] void refuse_at(const Place& place, const std::string& message);

}  // namespace raak
