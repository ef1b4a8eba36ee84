// SPDX-License-Identifier: Apache-2.0
// Trains ranks with equal parameters. In one rank, one bit is flipped.
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <string>

#include "analysis/ranks/ranks.h"
#include "tests/end_to_end/command.h"
#include "tests/repetitions.h"

namespace ampprof::testing {
namespace check_ranks_test {

class CheckRanks : public ::testing::Test {
 protected:
  void SetUp() override {
    if (python().empty()) GTEST_SKIP() << "no Python beside this LibTorch";
  }

  /// Returns the check of three ranks in steps 1, 3, 5 and 7. The ranks do not communicate, so no launcher is needed.
  analysis::RankedLaunch launch_of(const std::string& arguments, const std::string& environment = "",
                                   const std::string& flags = "--check-ranks 2") {
    const std::string ranks =
        "bash " + script("on_ranks.sh") + " 3 " + python() + ' ' + script("replicas.py") + ' ' + arguments;
    const auto result =
        run_command(environment + ampprof() + " run --force -o r.ampprof " + flags + " -- " + ranks, folder_.path());
    EXPECT_EQ(result.exit_code, 0) << result.err << bytes_of(folder_.path() / "err.0");
    const queries::Report report(folder_.path() / "r.ampprof");
    auto launches = analysis::ranked_launches(report, queries::runs(report));
    EXPECT_EQ(launches.size(), 1u);
    return launches.empty() ? analysis::RankedLaunch{} : std::move(launches.front());
  }

  std::string ranks_in_json() {
    return run_command(ampprof() + " show r.ampprof ranks --format json", folder_.path()).out;
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(CheckRanks, FindNothingWhereAllRanksAgree) {
  const analysis::RankedLaunch launch = launch_of("--optimizer adam");
  ASSERT_EQ(launch.ranks.size(), 3u);
  EXPECT_EQ(launch.parameters.steps, 4);
  EXPECT_EQ(launch.parameters.compared, 4) << "two weights and two biases";
  EXPECT_FALSE(launch.parameters.divergence);
  EXPECT_TRUE(launch.parameters.not_replicated.empty());
}

struct Flip {
  const char* name;
  const char* optimizer;
  const char* environment;
  const char* flags;
  std::int64_t found_in;
};

void PrintTo(const Flip& flip, std::ostream* out) { *out << flip.name; }

class FlippedBit : public CheckRanks, public ::testing::WithParamInterface<Flip> {};

TEST_P(FlippedBit, IsFoundInTheNextCheck) {
  const analysis::RankedLaunch launch =
      launch_of(std::string("--flip-rank 1 --flip-after 3 --optimizer ") + GetParam().optimizer, GetParam().environment,
                GetParam().flags);
  ASSERT_TRUE(launch.parameters.divergence);
  const analysis::ParameterDivergence& found = *launch.parameters.divergence;
  EXPECT_EQ(found.step, GetParam().found_in);
  EXPECT_EQ(found.agreed_in, GetParam().found_in - 2);
  EXPECT_EQ(found.alone, std::vector<std::int64_t>{1});
  EXPECT_TRUE(found.has_majority);
  ASSERT_EQ(launch.ranks.size(), 3u);
  EXPECT_EQ(launch.ranks[1].divergence->what, analysis::Replicated::Parameter);
  EXPECT_NE(ranks_in_json().find("\"diverging_parameter\""), std::string::npos);
}

// `by_hand`: a step without an optimizer is checked when the next forward begins, so the check of step 3 includes the
// flip after this step.
INSTANTIATE_TEST_SUITE_P(CheckRanks, FlippedBit,
                         ::testing::ValuesIn(test_support::with_repetitions<Flip>(
                             {{"foreach", "foreach", "", "--check-ranks 2 --reference off", 5},
                              {"by_hand", "by-hand", "", "--check-ranks 2", 3},
                              {"pending", "adam", "AMPPROF_PENDING=1 ", "--check-ranks 2", 5}},
                             {{"sgd", "sgd", "", "--check-ranks 2", 5},
                              {"fused", "fused", "", "--check-ranks 2", 5},
                              {"pending_without_reference", "adam", "AMPPROF_PENDING=1 ",
                               "--check-ranks 2 --reference off", 5}})),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_F(CheckRanks, TakeWhatDiffersFromTheStartForSharded) {
  const analysis::RankedLaunch launch = launch_of("--shard --steps 3");
  const auto& apart = launch.parameters.not_replicated;
  EXPECT_NE(std::ranges::find(apart, "shard"), apart.end());
}

}  // namespace check_ranks_test
}  // namespace ampprof::testing
