// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/offending_sizes.h"

#include <gtest/gtest.h>

namespace ampprof::gui {
namespace offending_sizes_test {

TEST(OffendingSizes, AreTheNumbersThatTheVerdictNames) {
  EXPECT_EQ(offendingSizes("M = 33, N = 64, K = 33", "M = 33"), (QList<TextPart>{{4, 2}}));
  EXPECT_EQ(offendingSizes("C_in = 1, C_out = 32, N = 1", "C_in=1"), (QList<TextPart>{{7, 1}}));
  EXPECT_EQ(offendingSizes("M = 33, N = 5", "M = 33, N = 5").size(), 2);
}

TEST(OffendingSizes, AreNoneIfNothingIsNamed) {
  EXPECT_TRUE(offendingSizes("M = 64, N = 64", "").isEmpty());
  EXPECT_TRUE(offendingSizes("efficient", "M = 33").isEmpty());
  EXPECT_TRUE(offendingSizes("M = 333", "M = 33").isEmpty()) << "sizes are whole numbers";
}

}  // namespace offending_sizes_test
}  // namespace ampprof::gui
