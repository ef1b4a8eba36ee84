// SPDX-License-Identifier: Apache-2.0
#include "profiler/nvtx/utf8.h"

#include <gtest/gtest.h>

#include <string>

#include "profiler/nvtx/text_table.h"

namespace ampprof::profiler {
namespace utf8_test {

std::string utf8(const wchar_t* text) {
  Utf8Buffer buffer;
  return to_utf8(text, buffer);
}

TEST(Utf8, HasTheBordersOfItsLengths) {
  EXPECT_EQ(utf8(L""), "");
  EXPECT_EQ(utf8(nullptr), "");
  EXPECT_EQ(utf8(L"\x1"), "\x1");
  EXPECT_EQ(utf8(L"\x7f"), "\x7f");
  EXPECT_EQ(utf8(L"\x80"), "\xC2\x80");
  EXPECT_EQ(utf8(L"\x7ff"), "\xDF\xBF");
  EXPECT_EQ(utf8(L"\x800"), "\xE0\xA0\x80");
  EXPECT_EQ(utf8(L"\xffff"), "\xEF\xBF\xBF");
  EXPECT_EQ(utf8(L"\x10000"), "\xF0\x90\x80\x80");
  EXPECT_EQ(utf8(L"\x10ffff"), "\xF4\x8F\xBF\xBF");
}

TEST(Utf8, ReplacesInvalidCodePoints) {
  const wchar_t text[] = {static_cast<wchar_t>(0xD800), static_cast<wchar_t>(0xDFFF), static_cast<wchar_t>(0x110000),
                          static_cast<wchar_t>(-1), 0};
  EXPECT_EQ(utf8(text), "\uFFFD\uFFFD\uFFFD\uFFFD");
}

TEST(Utf8, LeavesOutWhatFindsNoRoom) {
  const std::string text = utf8(std::wstring(5000, L'漢').c_str());
  EXPECT_LT(text.size(), Utf8Buffer().size());
  EXPECT_GT(text.size(), Utf8Buffer().size() - 8);
  EXPECT_EQ(text.size() % 3, 0u);
  for (const wchar_t letter : {L'a', L'\U0001F600'}) {
    EXPECT_EQ(utf8(std::wstring(5000, letter).c_str()).size(), Utf8Buffer().size() - 4) << "room for any character";
  }
}

TEST(TextTable, GivesTheSameHandleForTheSameText) {
  static TextTable<256> table;
  const std::uintptr_t first = table.intern("first");
  EXPECT_NE(first, 0u);
  EXPECT_NE(table.intern("second"), first);
  EXPECT_EQ(table.intern("first"), first);
  EXPECT_STREQ(table.find(first), "first");
}

TEST(TextTable, KnowsNoMadeUpHandle) {
  static TextTable<256> table;
  const std::uintptr_t only = table.intern("only");
  for (std::uintptr_t handle = 0; handle < 300; ++handle) {
    EXPECT_STREQ(table.find(handle), handle == only ? "only" : "");
  }
  EXPECT_STREQ(table.find(~std::uintptr_t{0}), "");
}

TEST(TextTable, IsFullOneDay) {
  static TextTable<128> table;
  int refused = 0;
  for (int i = 0; i < 1000; ++i) refused += table.intern(std::to_string(i).c_str()) == 0 ? 1 : 0;
  EXPECT_GE(refused, 1000 - 128);
  EXPECT_LT(refused, 1000 - 64);
}

}  // namespace utf8_test
}  // namespace ampprof::profiler
