// SPDX-License-Identifier: Apache-2.0
// Plants a difference between two runs, and checks which op call `ampprof diff --first` names.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/end_to_end/command.h"
#include "tests/repetitions.h"

namespace ampprof::testing {
namespace first_difference_test {

class FirstDifference : public ::testing::Test {
 protected:
  void SetUp() override {
    if (python().empty()) GTEST_SKIP() << "no Python beside this LibTorch";
  }

  void record(const std::string& report, const std::string& plant) const {
    const auto run = run_command(ampprof() + " run --force --reference off --sketch -o " + report + " -- " + python() +
                                     " " + script("first_difference.py") + " " + plant,
                                 folder_.path());
    ASSERT_EQ(run.exit_code, 0) << run.err;
  }

  nlohmann::json difference(const std::string& options) const {
    const auto diff =
        run_command(ampprof() + " diff --first --format json a.ampprof b.ampprof" + options, folder_.path());
    EXPECT_EQ(diff.exit_code, 0) << diff.err;
    return nlohmann::json::parse(diff.out, nullptr, false).at("comparisons").at(0);
  }

 private:
  TemporaryFolder folder_;
};

/// Returns the line number, from 1, of the plant's comment.
int line_of(const std::string& plant) {
  std::ifstream file(script("first_difference.py"));
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (line.ends_with("# plant: " + plant)) return number;
  }
  return 0;
}

TEST_F(FirstDifference, IsAtThePlantAndMissingBetweenEqualRuns) {
  record("a.ampprof", "");
  record("b.ampprof", "");
  const nlohmann::json found = difference(" --exact");
  EXPECT_TRUE(found.at("first").is_null()) << found.at("first").dump();
  EXPECT_GT(found.at("compared"), 100);
  EXPECT_EQ(found.at("only_a"), 0);
  // Plants a weight, a random number, or the order of a sum. first_difference/check has more plants.
  for (const std::string& plant :
       test_support::with_repetitions<std::string>({"weight_bit", "seed", "order"}, {"batch", "type", "tf32"})) {
    record("b.ampprof", plant);
    const nlohmann::json planted = difference("");
    ASSERT_TRUE(planted.at("first").is_object()) << plant;
    const std::string source = planted.at("first").at("source");
    EXPECT_TRUE(source.ends_with("first_difference.py:" + std::to_string(line_of(plant)))) << plant << ": " << source;
    EXPECT_GT(planted.at("first").at("distance"), 0) << plant;
  }
}

}  // namespace first_difference_test
}  // namespace ampprof::testing
