#include "base/text/utf8.h"

#include <algorithm>

namespace raak {

Utf8Character utf8_at(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(at);
  const Utf8Character broken{first, 1, false};
  if (first < 0x80U) return {first, 1, true};
  const std::size_t length = first >= 0xF0U ? 4 : first >= 0xE0U ? 3 : 2;
  if (first < 0xC2U || first > 0xF4U || at + length > text.size()) return broken;
  char32_t code = first & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    const unsigned next = byte(at + i);
    if ((next & 0xC0U) != 0x80U) return broken;
    code = code << 6U | (next & 0x3FU);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (overlong || surrogate || code > 0x10FFFF) return broken;
  return {code, length, true};
}

std::size_t first_not_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Character c = utf8_at(text, at);
    if (!c.valid) return at;
    at += c.bytes;
  }
  return std::string_view::npos;
}

std::string_view utf8_prefix(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  std::size_t end = bytes;
  // A character has at most three bytes after its first; more of them are no UTF-8 and may be parted anywhere.
  for (int i = 0; i < 3 && end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U; ++i) --end;
  return text.substr(0, end > 0 ? end : bytes);
}

}  // namespace raak
