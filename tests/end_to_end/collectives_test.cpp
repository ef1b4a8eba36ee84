// SPDX-License-Identifier: Apache-2.0
// Tests the records of collectives between two running ranks, and which rank waits for the other.
#include "analysis/ranks/collectives.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "analysis/ranks/ranks.h"
#include "tests/end_to_end/command.h"

namespace ampprof::testing {
namespace collectives_test {

/// Records two ranks of all_reduce.py into `folder`/r.ampprof.
void record(const TemporaryFolder& folder, const std::string& arguments, const std::string& flags) {
  const auto result =
      run_command(ampprof() + " run --force -o r.ampprof --record-ranks all " + flags + " -- bash " +
                      script("on_ranks.sh") + " 2 " + python() + ' ' + script("all_reduce.py") + ' ' + arguments,
                  folder.path());
  ASSERT_EQ(result.exit_code, 0) << result.err << bytes_of(folder.path() / "err.0");
}

class CollectivesOfRanks : public ::testing::Test {
 protected:
  void SetUp() override {
    if (python().empty()) GTEST_SKIP() << "no Python beside this LibTorch";
  }

  queries::Report recorded(const std::string& arguments, const std::string& flags) {
    record(folder_, arguments, flags);
    return queries::Report(folder_.path() / "r.ampprof");
  }

 private:
  TemporaryFolder folder_;
};

/// Has a recording that all tests of this suite share. Rank 1 sleeps before each collective.
class CollectivesWithALateRank : public ::testing::Test {
 protected:
  static constexpr std::int64_t kSteps = 12;

  static void SetUpTestSuite() {
    if (python().empty()) return;
    folder_ = new TemporaryFolder;
    record(*folder_, "--late-rank 1 --late-ms 40 --steps " + std::to_string(kSteps), "--reference off");
  }
  static void TearDownTestSuite() { delete std::exchange(folder_, nullptr); }
  void SetUp() override {
    if (python().empty()) GTEST_SKIP() << "no Python beside this LibTorch";
  }

  static std::filesystem::path folder() { return folder_->path(); }
  static queries::Report report() { return queries::Report(folder() / "r.ampprof"); }

 private:
  static inline TemporaryFolder* folder_ = nullptr;
};

TEST_F(CollectivesWithALateRank, AreRecordedOnEachRankWithTheirEnds) {
  const queries::Report file = report();
  const auto runs = queries::runs(file);
  ASSERT_EQ(runs.size(), 2u);
  for (const queries::RunRow& run : runs) {
    std::int64_t reduced = 0;
    for (const queries::CollectiveRow& row : queries::collectives(file, run.run)) {
      if (row.op != "c10d::allreduce_" || row.step == 0) continue;
      ++reduced;
      EXPECT_EQ(row.call.group_size, 2);
      EXPECT_EQ(row.call.reduction, "sum");
      EXPECT_EQ(row.call.dtype, DType::Float);
      EXPECT_TRUE(row.call.bytes == 64 * 16 * 4 || row.call.bytes == 16 * 4) << row.call.bytes;
      EXPECT_TRUE(row.ms) << "Gloo tells when it is done";
    }
    EXPECT_EQ(reduced, 2 * kSteps) << "two parameters";
  }
  const auto sites = analysis::collective_sites(file, runs);
  const auto weight = std::ranges::find_if(sites, [](const auto& site) { return site.row.call.bytes == 64 * 16 * 4; });
  ASSERT_NE(weight, sites.end());
  EXPECT_EQ(weight->ranks, 2);
  EXPECT_TRUE(weight->wait_ms);
  EXPECT_TRUE(weight->bus_bandwidth());
  const auto shown = run_command(ampprof() + " show r.ampprof collectives", folder());
  EXPECT_EQ(shown.exit_code, 0) << shown.err;
  EXPECT_NE(shown.out.find("c10d::allreduce_"), std::string::npos) << shown.out;
}

TEST_F(CollectivesWithALateRank, NameTheRankThatOthersWaitFor) {
  const queries::Report file = report();
  const auto launches = analysis::ranked_launches(file, queries::runs(file));
  ASSERT_EQ(launches.size(), 1u);
  const auto& ranks = launches[0].ranks;
  ASSERT_EQ(ranks.size(), 2u);
  ASSERT_TRUE(ranks[0].wait_ms);
  ASSERT_TRUE(ranks[1].wait_ms);
  EXPECT_GT(*ranks[0].wait_ms, *ranks[1].wait_ms) << "rank 1 sleeps before each of them";
  EXPECT_NE(ranks[0].pace, analysis::Pace::Slower);
}

// CheckRanks tests the checks that --check-ranks asks for.
TEST_F(CollectivesWithALateRank, RecordNoChecksUnlessAsked) {
  const queries::Report file = report();
  const auto launches = analysis::ranked_launches(file, queries::runs(file));
  ASSERT_EQ(launches.size(), 1u);
  EXPECT_FALSE(launches[0].parameters.was_asked);
  for (const analysis::Rank& rank : launches[0].ranks) EXPECT_EQ(rank.record.check_every, std::nullopt);
}

TEST_F(CollectivesOfRanks, ThatReturnTensorsHaveEndsWithAndWithoutAShadow) {
  const queries::Report file = recorded("--steps 4 --functional", "--inherited --every 2");
  for (const queries::RunRow& run : queries::runs(file)) {
    std::int64_t reduced = 0;
    for (const queries::CollectiveRow& row : queries::collectives(file, run.run)) {
      if (row.op != "_c10d_functional::all_reduce") continue;
      ++reduced;
      EXPECT_EQ(row.call.group_size, 2);
      EXPECT_TRUE(row.ms) << "in step " << row.step;
    }
    EXPECT_EQ(reduced, 4) << "two parameters in two steps";
  }
}

TEST_F(CollectivesOfRanks, TellWhatAHalfAllReduceRoundsAway) {
  const queries::Report file = recorded("--steps 3 --type half", "--sketch");
  for (const auto& site : analysis::collective_sites(file, queries::runs(file))) {
    if (site.row.call.bytes != 64 * 16 * 2) continue;
    EXPECT_EQ(site.row.call.dtype, DType::Half);
    EXPECT_GT(site.roundings, 0);
    EXPECT_GT(site.rounding.value_or(0), 1e-5) << "half has eleven bits";
    EXPECT_LT(site.rounding.value_or(1), 1e-3);
    return;
  }
  ADD_FAILURE() << "no all-reduce of the weight's gradient";
}

}  // namespace collectives_test
}  // namespace ampprof::testing
