// SPDX-License-Identifier: Apache-2.0
#include "reports/store/clean_text.h"

#include <gtest/gtest.h>

#include <ostream>
#include <string>

namespace ampprof {
namespace clean_text_test {

#define BAD "\xEF\xBF\xBD"

struct Case {
  const char* name;
  std::string text;
  std::string clean;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class CleanText : public testing::TestWithParam<Case> {};

TEST_P(CleanText, KeepsWhatMayBeShown) { EXPECT_EQ(store::clean_text(GetParam().text), GetParam().clean); }

INSTANTIATE_TEST_SUITE_P(
    Text, CleanText,
    testing::Values(Case{"empty", "", ""}, Case{"plain", "conv1/conv2d #2", "conv1/conv2d #2"},
                    Case{"tab_and_line", "a\tb\nc", "a\tb\nc"}, Case{"two_bytes", "µs", "µs"},
                    Case{"three_bytes", "≥ 1", "≥ 1"}, Case{"four_bytes", "\xF0\x9F\x94\xA5", "\xF0\x9F\x94\xA5"},
                    Case{"escape", "\x1B[31mred", BAD "[31mred"}, Case{"carriage_return", "a\rb", "a" BAD "b"},
                    Case{"delete", "\x7F", BAD}, Case{"nul", std::string("a\0b", 3), "a" BAD "b"},
                    Case{"c1_control",
                         "\xC2\x9B"
                         "31m",
                         BAD BAD "31m"},
                    Case{"lone_continuation", "\x80", BAD}, Case{"cut_off", "a\xE2\x89", "a" BAD BAD},
                    Case{"overlong", "\xC0\xAF", BAD BAD}, Case{"overlong_three", "\xE0\x80\xAF", BAD BAD BAD},
                    Case{"byte_of_no_text", "\xFF\xF5", BAD BAD}, Case{"last_c1_control", "\xC2\x9F", BAD BAD},
                    Case{"blank_that_does_not_break", "\xC2\xA0", "\xC2\xA0"},
                    Case{"last_of_two_bytes", "\xDF\xBF", "\xDF\xBF"},
                    Case{"first_of_three_bytes", "\xE0\xA0\x80", "\xE0\xA0\x80"},
                    Case{"last_of_three_bytes", "\xEF\xBF\xBF", "\xEF\xBF\xBF"},
                    Case{"first_of_four_bytes", "\xF0\x90\x80\x80", "\xF0\x90\x80\x80"},
                    Case{"last_of_unicode", "\xF4\x8F\xBF\xBF", "\xF4\x8F\xBF\xBF"},
                    Case{"before_surrogates", "\xED\x9F\xBF", "\xED\x9F\xBF"},
                    Case{"last_surrogate", "\xED\xBF\xBF", BAD BAD BAD}, Case{"surrogate", "\xED\xA0\x80", BAD BAD BAD},
                    Case{"above_unicode", "\xF4\x90\x80\x80", BAD BAD BAD BAD},
                    Case{"latin1", "caf\xE9!", "caf" BAD "!"}),
    [](const auto& info) { return info.param.name; });

}  // namespace clean_text_test
}  // namespace ampprof
