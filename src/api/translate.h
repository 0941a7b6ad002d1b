// Errors of the inside as those that users catch.
#pragma once
#include <map>
#include <memory>
#include <string>

#include "api/core.h"

namespace raak_v0::detail {

// What stands in each line of a mechanism that was built in code: `joint "O"`. Null: a file, whose lines users know.
using Elements = std::shared_ptr<const std::map<int, std::string>>;

// To be called while an exception is handled: throws what it means to a user, or it again.
[[noreturn]] void translate(const Elements& elements);

template <class Work>
decltype(auto) guarded(const Elements& elements, Work&& work) {
  try {
    return work();
  } catch (...) {
    translate(elements);
  }
}

}  // namespace raak_v0::detail
