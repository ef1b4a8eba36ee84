// SPDX-License-Identifier: Apache-2.0
#include "views/table/xml.h"

#include <gtest/gtest.h>

#include <array>

namespace ampprof::views {
namespace xml_test {

constexpr std::string_view kReplaced = "\xEF\xBF\xBD";

TEST(Xml, EscapesWhatIsMarkupAndKeepsBlanksOfAttributes) {
  EXPECT_EQ(xml_escaped("a & <b> \"c\" 'd'"), "a &amp; &lt;b&gt; &quot;c&quot; &apos;d&apos;");
  EXPECT_EQ(xml_escaped("a\tb\nc\rd"), "a&#9;b&#10;c&#13;d");
}

/// Encodes a code point in UTF-8 with the given number of bytes, also in overlong form.
std::string encoded(std::uint32_t code, int bytes) {
  if (bytes == 1) return {static_cast<char>(code)};
  constexpr std::array<std::uint32_t, 5> kLeads{0, 0, 0xC0, 0xE0, 0xF0};
  std::string text(1, static_cast<char>(kLeads.at(static_cast<std::size_t>(bytes)) | (code >> (6 * (bytes - 1)))));
  for (int i = bytes - 2; i >= 0; --i) text += static_cast<char>(0x80 | ((code >> (6 * i)) & 0x3F));
  return text;
}

struct Character {
  std::uint32_t code;
  int bytes;
};

TEST(Xml, KeepsEveryCharacterThatItMayHold) {
  for (const auto& [code, bytes] :
       {Character{0x20, 1}, Character{0x7F, 1}, Character{0x80, 2}, Character{0x7FF, 2}, Character{0x800, 3},
        Character{0x1000, 3}, Character{0xD7FF, 3}, Character{0xE000, 3}, Character{0xFFFD, 3}, Character{0x10000, 4},
        Character{0x40000, 4}, Character{0x10FFFF, 4}}) {
    EXPECT_EQ(xml_escaped(encoded(code, bytes)), encoded(code, bytes)) << std::hex << code;
  }
}

TEST(Xml, ReplacesCharactersThatItMayNotHold) {
  for (const auto& [code, bytes] : {Character{0, 1}, Character{0x1F, 1}, Character{0xD800, 3}, Character{0xDFFF, 3},
                                    Character{0xFFFE, 3}, Character{0xFFFF, 3}, Character{0x110000, 4}}) {
    EXPECT_EQ(xml_escaped('a' + encoded(code, bytes) + 'b'), 'a' + std::string(kReplaced) + 'b') << std::hex << code;
  }
}

TEST(Xml, ReplacesEachInvalidUtf8Byte) {
  for (const std::string& bad : {encoded(0x7F, 2), encoded(0x7FF, 3), encoded(0xFFFF, 4), std::string("\x80"),
                                 std::string("\xBF"), std::string("\xF5\x80\x80\x80"), std::string("\xFF"),
                                 std::string("\xC2"), std::string("\xE2\x82"), std::string("\xF0\x9F\x94")}) {
    std::string expected;
    for (std::size_t i = 0; i < bad.size(); ++i) expected += kReplaced;
    EXPECT_EQ(xml_escaped(bad), expected) << testing::PrintToString(bad);
  }
  EXPECT_EQ(xml_escaped("\xC3(\xC3\xA9"), std::string(kReplaced) + "(\xC3\xA9") << "it goes on with what follows";
}

}  // namespace xml_test
}  // namespace ampprof::views
