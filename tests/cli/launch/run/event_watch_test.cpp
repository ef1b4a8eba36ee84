// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/run/event_watch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>

#include "tests/cli/synthetic_report.h"
#include "tests/temporary_folder.h"

namespace ampprof::cli {
namespace event_watch_test {

class EventWatchTest : public testing::Test {
 protected:
  EventWatchTest() { write_synthetic_report(report_); }

  std::string command() const { return "echo \"$AMPPROF_EVENT in\" {} >>'" + said_.string() + "'"; }
  /// Waits until the watch's commands have written `lines` lines, for at most 5 s. Returns the lines.
  std::string said(std::int64_t lines) const {
    std::string text;
    for (int i = 0; i < 500; ++i) {
      text = std::filesystem::exists(said_) ? test_support::bytes_of(said_) : "";
      if (std::ranges::count(text, '\n') >= lines) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return text;
  }

  test_support::TemporaryFolder folder_;
  std::filesystem::path report_ = folder_ / "a b.ampprof";
  std::filesystem::path said_ = folder_ / "said";
};

TEST_F(EventWatchTest, RunsTheCommandAtAnOverflowAndAtEachFindingOnce) {
  constexpr std::int64_t kOfO1 = 2;
  EventWatch watch(command(), {});
  watch.look(report_, kOfO1);
  watch.check_finished_run(report_, kOfO1);
  const std::string text = said(1);
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_EQ(said(1), text) << "nothing is said twice";
  EXPECT_NE(text.find(" in " + report_.string() + "\n"), std::string::npos) << text;
}

TEST_F(EventWatchTest, RunsTheCommandWhenAGateFailsFirst) {
  constexpr std::int64_t kOfO0 = 1;
  EventWatch watch(command(), {"steps < 1", "steps > 0", "local_rel_l2(no_such_op) < 1"});
  watch.check_finished_run(report_, kOfO0);
  watch.check_finished_run(report_, kOfO0);
  const std::string event = "gate failed: steps < 1 in " + report_.string() + "\n";
  EXPECT_EQ(said(1), event);
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_EQ(said(1), event) << "once, and not for what holds or is unknown";
}

TEST_F(EventWatchTest, SaysNothingOfARunInWhichNothingHappens) {
  constexpr std::int64_t kOfO0 = 1;
  EventWatch watch(command(), {});
  watch.check_finished_run(report_, kOfO0);
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_FALSE(std::filesystem::exists(said_)) << said(1);
}

TEST_F(EventWatchTest, TakesAReportThatIsNotThereAsOneWithoutAnything) {
  EventWatch watch(command(), {});
  watch.check_finished_run(folder_ / "none.ampprof", 1);
  EXPECT_FALSE(std::filesystem::exists(said_));
}

TEST(CommandFor, QuotesThePathOfTheReport) {
  EXPECT_EQ(command_for("mail {} {}", "/a b/r"), "mail '/a b/r' '/a b/r'");
  EXPECT_EQ(command_for("true", "/r"), "true");
}

}  // namespace event_watch_test
}  // namespace ampprof::cli
