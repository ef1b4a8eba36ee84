// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/run/command_queue.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <string>

#include "tests/temporary_folder.h"

namespace ampprof::cli {
namespace command_queue_test {

class CommandQueueTest : public testing::Test {
 protected:
  std::string append(const std::string& text) const { return "echo " + text + " >>'" + said_.string() + "'"; }

  test_support::TemporaryFolder folder_;
  std::filesystem::path said_ = folder_ / "said";
};

TEST_F(CommandQueueTest, RunsCommandsInOrderAndWaitsForAllAtItsEnd) {
  {
    CommandQueue queue;
    queue.add("sleep 0.2; " + append("first"), own_environment());
    queue.add(append("second"), own_environment());
    queue.add(append("third"), own_environment());
  }
  EXPECT_EQ(test_support::bytes_of(said_), "first\nsecond\nthird\n");
}

TEST_F(CommandQueueTest, GivesEachCommandItsEnvironmentAndNothingToRead) {
  {
    CommandQueue queue;
    Environment environment = own_environment();
    environment.push_back("WORD=one");
    queue.add(append("$WORD $(cat)."), environment);
  }
  EXPECT_EQ(test_support::bytes_of(said_), "one .\n");
}

TEST_F(CommandQueueTest, ContinuesAfterACommandThatFails) {
  {
    CommandQueue queue;
    queue.add("no-such-command 2>/dev/null", own_environment());
    queue.add("kill -9 $$", own_environment());
    queue.add(append("last"), own_environment());
  }
  EXPECT_EQ(test_support::bytes_of(said_), "last\n");
}

TEST_F(CommandQueueTest, DoesNotWaitForWhatACommandLeavesBehind) {
  {
    CommandQueue queue;
    queue.add("sleep 600 >/dev/null 2>&1 & echo $! >'" + said_.string() + "'", own_environment());
  }
  EXPECT_EQ(kill(std::stoi(test_support::bytes_of(said_)), SIGKILL), 0) << "it still runs";
}

}  // namespace command_queue_test
}  // namespace ampprof::cli
