// What the fuzz targets share. A target reads bytes as a user's file or command line; the only exception that may leave
// the library is raak::Error of an expected kind. Anything else is a finding, as is what a sanitizer reports.
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <initializer_list>
#include <string>

#include "base/error.h"

namespace raak::fuzz {

[[noreturn]] inline void found(const std::string& what) {
  std::fprintf(stderr, "finding: %s\n", what.c_str());
  std::abort();
}

// Whether it succeeded; a refusal of an expected kind is none.
template <class Action>
bool accepts(const Action& action, std::initializer_list<ErrorKind> expected) {
  try {
    action();
    return true;
  } catch (const Error& error) {
    for (const ErrorKind kind : expected)
      if (error.kind() == kind) return false;
    found(std::string("an error of another kind: ") + error.what());
  } catch (const std::exception& error) {
    found(std::string("an exception of a library: ") + error.what());
  }
}

}  // namespace raak::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
