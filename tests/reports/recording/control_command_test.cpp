// SPDX-License-Identifier: Apache-2.0
#include "reports/recording/control_command.h"

#include <gtest/gtest.h>

namespace ampprof::recording {
namespace control_command_test {

TEST(ControlCommand, ReadsBackWhatItWrites) {
  for (const char* text : {"start", "stop", "every 10", "deep 1", "policy /a folder/p.amp", "dump"}) {
    const auto command = control_command_from(text);
    ASSERT_TRUE(command) << text;
    EXPECT_EQ(text_of(*command), text);
  }
}

TEST(ControlCommand, RefusesAnyOtherText) {
  for (const char* text :
       {"", " ", "evry 3", "every", "every ", "every 0", "every -1", "every 1x", "every 1 2", "every  2", "deep",
        "stop 1", "dump ", "policy", "policy ", "policy a\nb", "every 99999999999999999999"}) {
    EXPECT_FALSE(control_command_from(text)) << text;
  }
}

TEST(ControlCommand, NamesAllForms) { EXPECT_EQ(control_commands(), "start|stop|every N|deep N|policy FILE|dump"); }

}  // namespace control_command_test
}  // namespace ampprof::recording
