// What the handles of the C interface hold, and how a call becomes a status.
#pragma once
#include <raak/raak.h>
#include <raak/raak_c.h>
#include <raak/raak_c_study.h>

#include <cstddef>
#include <limits>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

struct raak_model {
  explicit raak_model(raak::Model made) : model(std::move(made)), runs(model.runs()), parameters(model.parameters()) {}
  raak::Model model;
  std::vector<std::string> runs, parameters;
  std::string text, toml;
};

struct raak_start {
  raak::Start start;
};

struct raak_result {
  explicit raak_result(raak::Result made) : result(std::move(made)) {}
  raak::Result result;
  std::string brief, json;
  // What texts tell of it; most callers never ask.
  struct Told {
    std::string status, message, method, form;
    std::vector<raak::EventTime> events;
    std::vector<std::string> warnings;
  };
  const Told* told() const noexcept;  // null: there is no memory for it

 private:
  mutable std::once_flag asked_;
  mutable std::optional<Told> told_;
};

namespace raak_v0::detail {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

// Keeps what is thrown as the last error of the thread. Only inside a catch.
raak_status keep_last_error() noexcept;

template <class Work>
raak_status attempt(const Work& work) noexcept {
  try {
    work();
    return RAAK_OK;
  } catch (...) {
    return keep_last_error();
  }
}

// Makes a handle; *to is NULL where that fails.
template <class Handle, class Make>
raak_status make(Handle** to, const char* what, const Make& make_it) noexcept {
  if (to != nullptr) *to = nullptr;
  return attempt([&] {
    if (to == nullptr) throw RequestError(std::string(what) + " is NULL");
    *to = make_it();
  });
}

template <class Pointer>
Pointer needed(Pointer pointer, const char* what) {
  if (pointer == nullptr) throw RequestError(std::string(what) + " is NULL");
  return pointer;
}

// One of a list; NULL where it ends.
inline const char* text_of(const std::vector<std::string>& list, std::size_t i) noexcept {
  return i < list.size() ? list[i].c_str() : nullptr;
}

// A text that the handle keeps until the next call.
template <class Make>
raak_status give_text(std::string& kept, const char** text, const Make& make_it) {
  *needed(text, "text") = (kept = make_it()).c_str();
  return RAAK_OK;
}

Options options_of(const raak_options* given);
raak_statistics statistics_of(const Statistics& work);

// A run whose result so far stays where it stops.
template <class Run>
raak_status run_into(raak_result** result, const Run& run) noexcept {
  return make(result, "result", [&] {
    // NOLINTBEGIN(bugprone-unhandled-exception-at-new): attempt() catches it
    try {
      return new raak_result(run());
    } catch (const SolveError& error) {
      if (error.partial() != nullptr) *result = new raak_result(*error.partial());
      throw;
    }
    // NOLINTEND(bugprone-unhandled-exception-at-new)
  });
}

}  // namespace raak_v0::detail
