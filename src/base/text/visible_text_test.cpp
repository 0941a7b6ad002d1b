// Text of others is shown and never obeyed.
#include "base/text/visible_text.h"

#include <gtest/gtest.h>

#include "base/text/utf8.h"

namespace raak {
namespace {

std::string encoded(char32_t code) {
  const auto byte = [](char32_t value) { return static_cast<char>(static_cast<unsigned char>(value)); };
  const auto next = [&](unsigned shift) { return byte(0x80U | (code >> shift & 63U)); };
  if (code < 0x80) return {byte(code)};
  if (code < 0x800) return {byte(0xC0U | code >> 6U), next(0)};
  if (code < 0x10000) return {byte(0xE0U | code >> 12U), next(6), next(0)};
  return {byte(0xF0U | code >> 18U), next(12), next(6), next(0)};
}

TEST(Utf8, AcceptsWhatUnicodeHasAndNothingElse) {
  for (char32_t code = 0; code <= 0x10FFFF; ++code) {
    const std::string text = encoded(code);
    const Utf8Character c = utf8_at(text, 0);
    const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    ASSERT_EQ(c.valid, !surrogate) << static_cast<unsigned>(code);
    if (surrogate) continue;
    ASSERT_TRUE(c.code == code && c.bytes == text.size()) << static_cast<unsigned>(code);
    for (std::size_t cut = 1; cut < text.size(); ++cut) ASSERT_FALSE(utf8_at(text.substr(0, cut), 0).valid);
  }
  for (const char* broken : {"\x80", "\xC0\x80", "\xC1\xBF", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xF0\x8F\xBF\xBF",
                             "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF", "\xC3("})
    EXPECT_EQ(first_not_utf8(std::string("ab") + broken), 2U) << broken;
  EXPECT_EQ(first_not_utf8("\xC3\xA9t\xC3\xA9"), std::string::npos);
}

TEST(Utf8, APrefixHasNoPartOfACharacter) {
  const std::string text = "a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80z";
  for (std::size_t bytes = 1; bytes <= text.size(); ++bytes) {
    const std::string_view part = utf8_prefix(text, bytes);
    EXPECT_LE(part.size(), bytes);
    EXPECT_EQ(first_not_utf8(part), std::string::npos) << bytes;
  }
  EXPECT_EQ(utf8_prefix(std::string(10, '\x80'), 5).size(), 2U) << "what is no UTF-8 is cut somewhere";
}

TEST(VisibleText, ShowsControlsOfTerminalsAndOfDirection) {
  EXPECT_EQ(visible_line("a\x1b[31mb\x07\x7f"), "a\\x1b[31mb\\x07\\x7f");
  EXPECT_EQ(visible_line(std::string("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(visible_line(encoded(0x9B) + "31m"), "\\x9b31m") << "the control sequence introducer in one character";
  EXPECT_EQ(visible_line(encoded(0x202E) + "txt.exe"), "\\u202etxt.exe");
  EXPECT_EQ(visible_line(encoded(0xE0041)), "\\U000e0041") << "a tag";
  EXPECT_EQ(visible_line("caf\xE9"), "caf\\xe9") << "Latin 1";
  EXPECT_EQ(visible_line("a\nb\tc\rd"), "a\\nb\\tc\\x0dd");
  EXPECT_EQ(visible_text("a\nb\tc\rd"), "a\nb\tc\\x0dd");
  for (const char32_t letter : {0xE9, 0x20AC, 0x5E9, 0x4E2D, 0x1F600})
    EXPECT_EQ(visible_line(encoded(letter)), encoded(letter)) << "letters of any script stay";
}

TEST(VisibleText, LeavesNothingToObey) {
  for (char32_t code = 0; code < 0xF0000; ++code) {
    const std::string shown = visible_line(encoded(code));
    for (std::size_t at = 0; at < shown.size(); at += utf8_at(shown, at).bytes)
      ASSERT_FALSE(is_control(utf8_at(shown, at).code)) << static_cast<unsigned>(code);
  }
}

TEST(VisibleText, EscapesForDocumentsByTheirOwnRules) {
  const std::string text = "a" + encoded(0x202E) + encoded(0xE0041) + encoded(0x7F) + encoded(0xE9);
  EXPECT_EQ(escaped_for_json(text), "a\\u202e\\udb40\\udc41\\u007f\xC3\xA9");
  EXPECT_EQ(escaped_for_toml(text + "\n\x1b"), "a\\u202e\\U000e0041\\u007f\xC3\xA9\\n\\u001b");
}

TEST(VisibleText, CutsLongTextsShort) {
  EXPECT_EQ(cut_short("short"), "short");
  const std::string cut = cut_short(std::string(60000, 'a'));
  EXPECT_LT(cut.size(), 100U);
  EXPECT_NE(cut.find("... (60000 bytes)"), std::string::npos);
}

TEST(VisibleText, FormulasOfSpreadsheetsBeginWithASign) {
  for (const char* cell : {"=1+1", "+1", "-x", "@SUM(A1)", " =1", "   @x", "\xC2\xA0=1",
                           "\xEF\xBC\x9D"
                           "1",
                           "\xE3\x80\x80+1"})
    EXPECT_TRUE(begins_formula(cell)) << cell;
  for (const char* cell : {"", " ", "a=b", "x-1", " x=1", "\xC3\xA9=1"}) EXPECT_FALSE(begins_formula(cell)) << cell;
}

}  // namespace
}  // namespace raak
