// Text of others (titles, names, file names, values, error messages that quote them) made fit to be shown: characters
// that a terminal, a browser or an editor obeys instead of showing become visible escapes such as \x1b and \u202e.
// What is obeyed: the controls of ISO 6429 (C0, DEL, C1), the bidirectional controls that turn the order of what is
// read (Boucher and Anderson, Trojan Source, 2021), separators and fillers without a width, tags, bytes that are not
// UTF-8.
#pragma once
#include <string>
#include <string_view>

namespace raak {

// Whether a character is obeyed rather than shown. Tabs and line ends are: a caller that lays out lines lets them pass.
bool is_control(char32_t code);

// Lines: the ends of lines and tabs stay.
std::string visible_text(std::string_view text);
// A part of a line: there they are escaped too.
std::string visible_line(std::string_view text);

// The beginning of a text that is too long for a message: "aaaa... (60000 bytes)".
std::string cut_short(std::string_view text, std::size_t most = 80);

// Text in a document that knows the escapes \uXXXX: JSON (pairs of surrogates above U+FFFF), TOML (\UXXXXXXXX).
std::string escaped_for_json(std::string_view text);
std::string escaped_for_toml(std::string_view text);

// A spreadsheet that opens a CSV file computes a cell that begins so: = + - @.
bool begins_formula(std::string_view cell);

}  // namespace raak
