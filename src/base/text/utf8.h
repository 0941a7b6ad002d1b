// UTF-8 (RFC 3629): characters of a text, and the first place where it is not UTF-8.
#pragma once
#include <cstddef>
#include <string_view>

namespace raak {

struct Utf8Character {
  char32_t code;      // the byte itself where it is not UTF-8
  std::size_t bytes;  // 1 where it is not UTF-8
  bool valid;
};

// The character that begins at `at`. Overlong forms, surrogates and codes above U+10FFFF are not valid.
Utf8Character utf8_at(std::string_view text, std::size_t at);

// The first byte that belongs to no character; npos: the whole text is UTF-8.
std::size_t first_not_utf8(std::string_view text);

// At most so many bytes of the text, and no part of a character.
std::string_view utf8_prefix(std::string_view text, std::size_t bytes);

}  // namespace raak
