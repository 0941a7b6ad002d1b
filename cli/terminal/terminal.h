// Standard output and standard error, in plain text or JSON.
#pragma once
#include <string>

#include "base/version.h"
#include "kinematics/start/open_joints.h"
#include "study/explain/explain.h"
#include "study/summary.h"

namespace raak::cli {

// Everything a person reads goes through these functions, which let no control character of a title, a name or a file
// name reach a terminal (base/text/visible_text.h).

// Data to standard output, byte by byte: documents whose format escapes what is not to be obeyed.
void print_data(const std::string& text);
// The same while a computation goes on: arrives soon, through a pipe as well.
void print_row(const std::string& line);
// A path: for a script, where standard output is no terminal, byte by byte.
void print_path(const std::string& path);
// Text for a person: wrapped to a terminal that is narrower than the text.
void print_text(const std::string& text);
// Columns that a table for standard output may take; many where it is no terminal.
std::size_t output_columns();

// To standard error: `raak: message`, wrapped to the terminal.
void complain(const std::string& message);

// What is being done, on one line that the next one replaces; only where a person watches.
void show_progress(const std::string& text);
void hide_progress();

// The same without dots, for a line that is made to fit.
void replace_line(const std::string& text);
// A person reads standard error on a terminal.
bool error_is_watched();
int error_columns();

// Text for a person on standard output: wrapped to a narrow terminal, with a bold first line and quiet labels where
// colours are wanted (on a terminal, NO_COLOR not set: https://no-color.org).
void print_styled(const std::string& text);

// What went wrong, where the user looks for it: a JSON document on standard output, or a line on standard error.
void report_error(const std::string& message, int exit_code, bool json);
// The same with what stays open, if anything does, as data under "open".
void report_error(const Error& error, bool json);
// Of a run that could not start: with cause, advice and diagnosis.
void report_refused_start(const Error& error, const Explanation& why, bool json);

// False when standard output could not be written, for example because the disk is full.
bool output_arrived();

}  // namespace raak::cli
