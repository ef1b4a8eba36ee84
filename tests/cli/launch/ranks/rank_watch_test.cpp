// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/ranks/rank_watch.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "reports/recording/rank_list.h"
#include "tests/temporary_folder.h"

namespace ampprof::cli {
namespace rank_watch_test {

/// Starts processes that claim ranks, as a distributed program does.
class RankWatched : public testing::Test {
 protected:
  /// Starts a process that claims `rank`, and exits with `exit_code` as soon as let_end() closes its pipe.
  pid_t start(std::int64_t rank, int exit_code) {
    int ends[2]{};
    EXPECT_EQ(pipe(ends), 0);
    const pid_t process = fork();
    if (process == 0) {
      close(ends[1]);
      char byte = 0;
      while (read(ends[0], &byte, 1) > 0) continue;
      _exit(exit_code);
    }
    close(ends[0]);
    gate_ = ends[1];
    std::ofstream(recording::file_of_rank(claim_.string(), std::to_string(rank))) << process << ' ' << rank;
    return process;
  }
  void let_end() const { close(gate_); }

  static bool wakes(const RankWatch& watch) {
    pollfd waiting{watch.descriptor(), POLLIN, 0};
    return poll(&waiting, 1, 30'000) == 1;
  }

  test_support::TemporaryFolder folder_;
  std::filesystem::path claim_ = folder_ / "claim-1";
  int gate_ = -1;
};

TEST_F(RankWatched, TellsAnExitCodeBeforeTheParentWaits) {
  const pid_t process = start(3, 7);
  RankWatch watch(claim_);
  watch.update();
  EXPECT_EQ(watch.lowest_rank(), 3);
  EXPECT_TRUE(watch.endings().empty());
  let_end();
  ASSERT_TRUE(wakes(watch));
  watch.update();
  ASSERT_TRUE(watch.endings().contains(3));
  EXPECT_EQ(watch.endings().at(3).exit_code, 7);
  EXPECT_GT(watch.endings().at(3).ended_ns, 0);
  EXPECT_EQ(waitpid(process, nullptr, 0), process);
}

TEST_F(RankWatched, TellsASignal) {
  const pid_t process = start(0, 0);
  RankWatch watch(claim_);
  watch.update();
  kill(process, SIGKILL);
  ASSERT_TRUE(wakes(watch));
  watch.update();
  EXPECT_EQ(watch.endings().at(0).exit_code, 128 + SIGKILL);
  EXPECT_EQ(waitpid(process, nullptr, 0), process);
  let_end();
}

TEST_F(RankWatched, ThatItsParentWaitedForHasEndedInAnyCase) {
  const pid_t process = start(1, 7);
  RankWatch watch(claim_);
  watch.update();
  let_end();
  EXPECT_EQ(waitpid(process, nullptr, 0), process);
  ASSERT_TRUE(wakes(watch));
  watch.update();
  ASSERT_TRUE(watch.endings().contains(1));
  const auto exit_code = watch.endings().at(1).exit_code;
  EXPECT_TRUE(!exit_code || exit_code == 7) << "from Linux 6.15 on it is known: " << *exit_code;
}

TEST_F(RankWatched, WakesForAClaimThatIsLeftLater) {
  RankWatch watch(claim_);
  watch.update();
  EXPECT_EQ(watch.lowest_rank(), std::nullopt);
  const pid_t process = start(2, 7);
  ASSERT_TRUE(wakes(watch)) << "it may end at once";
  watch.update();
  EXPECT_EQ(watch.lowest_rank(), 2);
  EXPECT_TRUE(watch.endings().empty());
  let_end();
  ASSERT_TRUE(wakes(watch));
  watch.update();
  EXPECT_EQ(watch.endings().at(2).exit_code, 7);
  EXPECT_EQ(waitpid(process, nullptr, 0), process);
}

TEST_F(RankWatched, ThatClaimsNothingIsNone) {
  std::ofstream(recording::file_of_rank(claim_.string(), "0"));  // created, but not yet written
  RankWatch watch(claim_);
  watch.update();
  EXPECT_EQ(watch.lowest_rank(), std::nullopt);
  EXPECT_TRUE(watch.endings().empty());
}

}  // namespace rank_watch_test
}  // namespace ampprof::cli
