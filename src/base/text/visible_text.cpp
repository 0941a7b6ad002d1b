#include "base/text/visible_text.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text/utf8.h"

namespace raak {
namespace {

// Ascending.
constexpr std::array<std::pair<char32_t, char32_t>, 15> controls{
    {{0x0000, 0x001F},
     {0x007F, 0x009F},
     {0x00AD, 0x00AD},      // soft hyphen
     {0x034F, 0x034F},      // joiner of graphemes
     {0x061C, 0x061C},      // Arabic letter mark
     {0x115F, 0x1160},      // Hangul fillers
     {0x180E, 0x180E},      // Mongolian vowel separator
     {0x200B, 0x200B},      // space without width
     {0x200E, 0x200F},      // marks of direction
     {0x2028, 0x202E},      // separators; embeddings, overrides
     {0x2060, 0x206F},      // joiners; isolates
     {0x3164, 0x3164},      // Hangul filler
     {0xFEFF, 0xFEFF},      // byte order mark
     {0xFFF9, 0xFFFB},      // interlinear annotation
     {0xE0000, 0xE007F}}};  // tags

std::string hexadecimal(char32_t code, int digits) {
  constexpr std::string_view digit = "0123456789abcdef";
  std::string text;
  for (int i = digits; i-- > 0;) text += digit[code >> (4U * static_cast<unsigned>(i)) & 0xFU];
  return text;
}

std::string escape(char32_t code) {
  if (code < 0x100) return "\\x" + hexadecimal(code, 2);
  return code < 0x10000 ? "\\u" + hexadecimal(code, 4) : "\\U" + hexadecimal(code, 8);
}

// `replace(character)`: what stands for it; empty where it stays.
template <class Replacement>
std::string replaced(std::string_view text, const Replacement& replacement) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Character c = utf8_at(text, at);
    const std::string instead = c.code >= 0x20 && c.code < 0x7F ? std::string() : replacement(c);
    if (instead.empty()) result += text.substr(at, c.bytes);
    else result += instead;
    at += c.bytes;
  }
  return result;
}

std::string made_visible(std::string_view text, bool lines) {
  return replaced(text, [&](const Utf8Character& c) -> std::string {
    if (c.code == '\n') return lines ? "" : "\\n";
    if (c.code == '\t') return lines ? "" : "\\t";
    return !c.valid || is_control(c.code) ? escape(c.code) : "";
  });
}

}  // namespace

bool is_control(char32_t code) {
  return std::any_of(controls.begin(), controls.end(),
                     [&](const auto& range) { return code >= range.first && code <= range.second; });
}

std::string visible_text(std::string_view text) {
  return made_visible(text, true);
}

std::string visible_line(std::string_view text) {
  return made_visible(text, false);
}

std::string cut_short(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  return std::string(utf8_prefix(text, most / 2)) + "... (" + std::to_string(text.size()) + " bytes)";
}

bool begins_formula(std::string_view cell) {
  constexpr std::u32string_view signs = U"=+-@\uFF1D\uFF0B\uFF0D\uFF20";  // and those of full width
  constexpr std::u32string_view spaces = U" \u00A0\u1680\u202F\u205F\u3000";
  for (std::size_t at = 0; at < cell.size();) {
    const Utf8Character c = utf8_at(cell, at);
    const bool is_space = spaces.find(c.code) != std::u32string_view::npos || (c.code >= 0x2000 && c.code <= 0x200A);
    if (!is_space) return signs.find(c.code) != std::u32string_view::npos;
    at += c.bytes;
  }
  return false;
}

std::string escaped_for_json(std::string_view text) {
  return replaced(text, [](const Utf8Character& c) -> std::string {
    if (c.code < 0x20 || !c.valid || !is_control(c.code)) return "";
    if (c.code < 0x10000) return "\\u" + hexadecimal(c.code, 4);
    const char32_t rest = c.code - 0x10000;
    return "\\u" + hexadecimal(0xD800 + (rest >> 10U), 4) + "\\u" + hexadecimal(0xDC00 + (rest & 0x3FFU), 4);
  });
}

std::string escaped_for_toml(std::string_view text) {
  return replaced(text, [](const Utf8Character& c) -> std::string {
    if (!c.valid || !is_control(c.code)) return "";
    if (c.code == '\n') return "\\n";
    if (c.code == '\t') return "\\t";
    return c.code < 0x10000 ? "\\u" + hexadecimal(c.code, 4) : "\\U" + hexadecimal(c.code, 8);
  });
}

}  // namespace raak
