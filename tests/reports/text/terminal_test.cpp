// SPDX-License-Identifier: Apache-2.0
#include "reports/text/terminal.h"

#include <gtest/gtest.h>
#include <pty.h>
#include <unistd.h>

#include <cstdlib>

namespace ampprof::text {
namespace terminal_test {

/// A pseudo-terminal, in an environment without COLUMNS and NO_COLOR.
class OfATerminal : public testing::Test {
 protected:
  OfATerminal() {
    ::unsetenv("COLUMNS");
    ::unsetenv("NO_COLOR");
  }
  ~OfATerminal() override {
    ::unsetenv("COLUMNS");
    ::unsetenv("NO_COLOR");
    ::close(near_);
    ::close(far_);
  }

  Terminal open(unsigned short columns) {
    winsize size{.ws_row = 24, .ws_col = columns, .ws_xpixel = 0, .ws_ypixel = 0};
    EXPECT_EQ(::openpty(&near_, &far_, nullptr, nullptr, &size), 0);
    return terminal_of(far_);
  }

  int near_ = -1;
  int far_ = -1;
};

TEST_F(OfATerminal, TheWidthIsItsOwn) {
  const Terminal terminal = open(77);
  EXPECT_EQ(terminal.width, 77);
  EXPECT_TRUE(terminal.is_terminal);
  EXPECT_TRUE(terminal.colours);
}

TEST_F(OfATerminal, TheWidthIsTheUsualOneWhereItIsNotKnown) { EXPECT_EQ(open(0).width, 80); }

TEST_F(OfATerminal, TheWidthIsNeverTooSmallForATable) { EXPECT_EQ(open(12).width, 40); }

TEST_F(OfATerminal, TheEnvironmentGoesFirst) {
  open(77);
  ::setenv("COLUMNS", "120", 1);
  EXPECT_EQ(terminal_of(far_).width, 120);
  ::setenv("COLUMNS", "0", 1);
  EXPECT_EQ(terminal_of(far_).width, 77);
  ::setenv("COLUMNS", "wide", 1);
  EXPECT_EQ(terminal_of(far_).width, 77);
}

TEST_F(OfATerminal, ColoursCanBeForbidden) {
  open(77);
  ::setenv("NO_COLOR", "1", 1);
  EXPECT_TRUE(terminal_of(far_).is_terminal);
  EXPECT_FALSE(terminal_of(far_).colours);
  ::setenv("NO_COLOR", "", 1);
  EXPECT_TRUE(terminal_of(far_).colours) << "nothing is said";
}

TEST_F(OfATerminal, APipeIsNone) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  near_ = ends[0];
  far_ = ends[1];
  const Terminal terminal = terminal_of(far_);
  EXPECT_EQ(terminal.width, 80);
  EXPECT_FALSE(terminal.is_terminal);
  EXPECT_FALSE(terminal.colours);
}

TEST(Tones, BeginWithTheirEscapeSequence) {
  EXPECT_STREQ(begin_of(Tone::Plain), "");
  EXPECT_STREQ(begin_of(Tone::Strong), "\033[1m");
  EXPECT_STREQ(begin_of(Tone::Faint), "\033[2m");
  EXPECT_STREQ(begin_of(Tone::Good), "\033[32m");
  EXPECT_STREQ(begin_of(Tone::Bad), "\033[31m");
  EXPECT_STREQ(begin_of(Tone::Attention), "\033[33m");
}

}  // namespace terminal_test
}  // namespace ampprof::text
