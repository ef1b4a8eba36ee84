// SPDX-License-Identifier: Apache-2.0
// Runs samples on several ranks, as separate processes. AMPPROF_KILLS=20 kills them at more moments.
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <string>
#include <utility>

#include "reports/queries/report.h"
#include "reports/queries/runs.h"
#include "tests/end_to_end/command.h"
#include "tests/repetitions.h"

namespace ampprof::testing {
namespace ranks_test {

int kills() {
  const char* asked = std::getenv("AMPPROF_KILLS");
  return asked == nullptr ? 2 : std::atoi(asked);
}

class Ranks : public ::testing::Test {
 protected:
  CommandResult on_ranks(int count, const std::string& command) {
    return run_command(script("on_ranks.sh") + ' ' + std::to_string(count) + ' ' + command, folder());
  }
  std::filesystem::path folder() const { return folder_.path(); }
  std::string file(const std::string& name) const { return bytes_of(folder() / name); }

 private:
  TemporaryFolder folder_;
};

TEST_F(Ranks, SamplesTrainTogether) {
  for (const auto& [sample, arguments] : test_support::with_repetitions<std::pair<std::string, std::string>>(
           {{"transformer", " --steps 6 --opt-level O2"}, {"dcgan", " --steps 2"}},
           {{"resnet18", " --steps 2 --batch-size 4"}})) {
    SCOPED_TRACE(sample);
    const auto result = on_ranks(2, program("sample_" + sample) + arguments + " --threads 1");
    ASSERT_EQ(result.exit_code, 0) << file("err.0") << file("err.1");
    EXPECT_NE(file("out.0").find("step "), std::string::npos);
    EXPECT_EQ(file("out.1").find("step "), std::string::npos) << "the first rank alone prints";
  }
}

TEST_F(Ranks, ASampleAloneIsWhatItWas) {
  const auto alone = run_command(program("sample_transformer") + " --steps 4 --threads 1", folder());
  const auto one_rank = on_ranks(1, program("sample_transformer") + " --steps 4 --threads 1");
  ASSERT_EQ(one_rank.exit_code, 0) << file("err.0");
  EXPECT_EQ(file("out.0"), alone.out);
}

TEST_F(Ranks, TheOthersEndWithASentenceWhenOneIsKilled) {
  std::mt19937 random(24);
  for (int i = 0; i < kills(); ++i) {
    const int victim = static_cast<int>(random() % 2);
    const double delay = 0.5 + 5.0 * static_cast<double>(random()) / static_cast<double>(std::mt19937::max());
    SCOPED_TRACE("rank " + std::to_string(victim) + " after " + std::to_string(delay) + " s");
    const auto result = run_command("export AMP_PARALLEL_TIMEOUT=8; timeout 60 " + script("on_ranks.sh") + " 2 " +
                                        ampprof() + " run --force -o r%r.ampprof -- " + program("sample_transformer") +
                                        " --steps 100000 --threads 1 & sleep " + std::to_string(delay) +
                                        "; pkill -9 -P $(cat pid." + std::to_string(victim) + "); wait $!",
                                    folder());
    ASSERT_NE(result.exit_code, 124) << "it hung";
    const std::string survivor = std::to_string(1 - victim);
    EXPECT_NE(file("code." + survivor), "0\n");
    EXPECT_NE(file("err." + survivor).find("amp::parallel"), std::string::npos) << file("err." + survivor);
    for (const char* report : {"r0.ampprof", "r1.ampprof"}) {
      if (!exists(folder() / report)) continue;  // killed before the report existed
      EXPECT_NO_THROW(queries::runs(queries::Report(folder() / report))) << report;
    }
    if (exists(folder() / "r0.ampprof") && exists(folder() / "r1.ampprof")) {
      EXPECT_EQ(run_command(ampprof() + " merge --force -o all.ampprof r0.ampprof r1.ampprof", folder()).exit_code, 0);
    }
  }
}

}  // namespace ranks_test
}  // namespace ampprof::testing
