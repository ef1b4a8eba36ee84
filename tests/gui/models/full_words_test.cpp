// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/full_words.h"

#include <gtest/gtest.h>

namespace ampprof::gui {
namespace full_words_test {

TEST(FullWords, NameThePhaseOfACallSite) {
  EXPECT_EQ(inFullWords("bwd fc/mm", "backward fc/mm"), "backward fc/mm");
  EXPECT_EQ(inFullWords("opt add_", "optimizer add_"), "optimizer add_");
  EXPECT_EQ(inFullWords("eval fc/mm", "inference fc/mm"), "inference fc/mm");
  EXPECT_EQ(inFullWords("- bwd fc/mm", "backward fc/mm"), "- backward fc/mm");
  EXPECT_EQ(inFullWords("fc/mm", "fc/mm"), "fc/mm");
}

TEST(FullWords, LeaveOtherTextsAsTheyAre) {
  EXPECT_EQ(inFullWords("opt level O1 casts", "opt level O1 casts"), "opt level O1 casts");
  EXPECT_EQ(inFullWords("bwd", "backward"), "bwd");
  EXPECT_EQ(inFullWords("", ""), "");
  EXPECT_EQ(inFullWords("12 µs", ""), "12 µs");
}

TEST(FullWords, HaveArrows) {
  EXPECT_EQ(inFullWords("130 µs -> 60 µs ?", ""), "130 µs → 60 µs ?");
  EXPECT_EQ(inFullWords("- -> 9.8e-04", ""), "- → 9.8e-04");
}

}  // namespace full_words_test
}  // namespace ampprof::gui
