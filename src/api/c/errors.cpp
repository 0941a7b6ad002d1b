// The last error of each thread: every exception of the public C++ interface becomes a status and what it says.
#include <exception>
#include <new>

#include "api/c/handles.h"

namespace raak_v0::detail {
namespace {

struct LastError {
  std::string message, advice = {}, cause = {}, file = {};
  int line = 0, column = 0;
  double time = none;
  std::vector<OpenJoint> open = {};
};
thread_local LastError last;

raak_status keep(raak_status status, LastError error) noexcept {
  last = std::move(error);
  return status;
}

raak_status keep_what_is_thrown() {
  try {
    throw;
  } catch (const ModelError& error) {
    return keep(RAAK_MODEL_ERROR,
                {.message = error.what(), .file = error.file(), .line = error.line(), .column = error.column()});
  } catch (const RequestError& error) {
    return keep(RAAK_REQUEST_ERROR, {.message = error.what()});
  } catch (const AssemblyError& error) {
    return keep(RAAK_COMPUTATION_ERROR, {.message = error.what(), .advice = error.advice(), .open = error.open()});
  } catch (const SolveError& error) {
    return keep(RAAK_COMPUTATION_ERROR,
                {.message = error.what(), .advice = error.advice(), .cause = error.cause(), .time = error.time()});
  } catch (const std::bad_alloc&) {
    return keep(RAAK_COMPUTATION_ERROR, {.message = "there is not enough memory"});
  } catch (const std::exception& error) {
    return keep(RAAK_INTERNAL_ERROR, {.message = error.what()});
  } catch (...) {
    return keep(RAAK_INTERNAL_ERROR, {.message = "unknown error"});
  }
}

}  // namespace

raak_status keep_last_error() noexcept {
  try {
    return keep_what_is_thrown();
  } catch (...) {  // no memory for its words
    last = {};
    return RAAK_COMPUTATION_ERROR;
  }
}

}  // namespace raak_v0::detail

using raak_v0::detail::last;

const char* raak_last_message(void) {
  return last.message.c_str();
}
const char* raak_last_advice(void) {
  return last.advice.c_str();
}
const char* raak_last_cause(void) {
  return last.cause.c_str();
}
const char* raak_last_file(void) {
  return last.file.c_str();
}
int raak_last_line(void) {
  return last.line;
}
int raak_last_column(void) {
  return last.column;
}
double raak_last_time(void) {
  return last.time;
}
size_t raak_last_open_count(void) {
  return last.open.size();
}
const char* raak_last_open_name(size_t i) {
  return i < last.open.size() ? last.open[i].name.c_str() : nullptr;
}
double raak_last_open_gap(size_t i) {
  return i < last.open.size() ? last.open[i].gap : raak::detail::none;
}
const char* raak_last_open_unit(size_t i) {
  return i < last.open.size() ? last.open[i].unit.c_str() : nullptr;
}
