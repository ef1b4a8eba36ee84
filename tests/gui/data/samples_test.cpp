// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/data/samples.h"

#include <gtest/gtest.h>

namespace ampprof::gui {
namespace samples_test {

TEST(Samples, AreThoseThatTheCommandLinePrints) {
  EXPECT_EQ(samplesFrom(R"([{"name": "mlp", "about": "digits", "program": "mlp", "steps": 124}])"),
            (std::vector<Sample>{{"mlp", "digits"}}));
}

TEST(Samples, LeaveOutWhatIsDamaged) {
  EXPECT_TRUE(samplesFrom("").empty());
  EXPECT_TRUE(samplesFrom("ampprof: unknown verb").empty());
  EXPECT_TRUE(samplesFrom(R"([3, {"about": "no name"}, {"name": 7}])").empty());
}

}  // namespace samples_test
}  // namespace ampprof::gui
