// Reads what users type after an option, and says what would have done when it does not fit.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kinematics/model.h"
#include "methods/method.h"
#include "study/bench/bench.h"

namespace raak::cli {

// A finite number.
double read_number(std::string_view option, const std::string& text);
double read_positive(std::string_view option, const std::string& text);

// Above 0, up to 1: beyond, the result means nothing.
double read_rtol(const std::string& text);
double read_atol(const std::string& text);

// One number for every kind of variable, or `q=1e-8,v=1e-6,lambda=1e-3`. What is not given: that of the run, and where
// it has no atol of its own, or rtol is given, atol = rtol. `--atol lambda=inf` leaves the multipliers out of the
// control of the error.
Tolerances read_tolerances(const std::optional<std::string>& rtol, const std::optional<std::string>& atol,
                           const Run& run);

// Evenly spaced from start to until, both included.
std::vector<double> read_every(const std::string& text, double start, double until);
// T1,T2,...: within the span; returned in its direction.
std::vector<double> read_at(const std::string& text, double start, double until);

// H in s, rtol or X*rtol.
FirstStep read_first_step(const std::string& text);
// The name of a form; refuses an unknown one with the nearest.
Form read_form(const std::string& text);

// A:B or A:B:N, from loose to tight with N points a decade; one number is a grid of one.
std::vector<double> read_rtol_grid(const std::string& text);
// Words between commas: at least one, none empty, none twice.
std::vector<std::string> read_words(std::string_view option, const std::string& text);

// NAME=VALUE.
std::pair<std::string, std::string> read_setting(std::string_view option, const std::string& text);
std::vector<std::pair<std::string, std::string>> read_settings(const std::vector<std::string>& texts);

// A word as a shell takes it, quoted where it must be; the whole command line.
std::string shell_word(const std::string& word);
std::string command_text(int argc, const char* const* argv);

}  // namespace raak::cli
