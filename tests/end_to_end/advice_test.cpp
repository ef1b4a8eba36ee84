// SPDX-License-Identifier: Apache-2.0
// Tests ampprof's advice: it names the function that spoils a model first, and registering this function repairs the
// model.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <ostream>

#include "reports/queries/events.h"
#include "reports/queries/report.h"
#include "tests/end_to_end/command.h"
#include "tests/repetitions.h"

namespace ampprof::testing {
namespace advice_test {

CommandResult run_at(const std::string& level, const std::string& policy, const std::string& line,
                     const TemporaryFolder& folder) {
  const std::string with_policy = policy.empty() ? "" : " AMP_POLICY=" + policy;
  return run_command("AMP_OPT_LEVEL=" + level + with_policy + " " + line, folder.path());
}

nlohmann::json advice_on(const std::string& program_line, const TemporaryFolder& folder) {
  const auto run = run_command(ampprof() + " run --impact -o r.ampprof " + program_line, folder.path());
  EXPECT_EQ(run.exit_code, 0) << run.err;
  const auto advice = run_command(ampprof() + " advise r.ampprof --format json -o p.amp", folder.path());
  EXPECT_EQ(advice.exit_code, 0) << advice.err;
  return nlohmann::json::parse(advice.out);
}

struct Plant {
  const char* name;
  const char* culprit;
  /// Lower limit for the loss at O1 divided by the loss at O0. Losses that are not finite pass, too. With the advised
  /// policy, the loss is at most 1.1 times that of O0.
  double ruined;
};

void PrintTo(const Plant& plant, std::ostream* out) { *out << plant.name; }

class Planted : public ::testing::TestWithParam<Plant> {};

TEST_P(Planted, CulpritIsRankedFirstAndItsRegistrationSavesTheModel) {
  const TemporaryFolder folder;
  const std::string line = program("planted") + " " + GetParam().name;
  const auto advice = advice_on("--levels O1 -- " + line + " 30", folder);
  ASSERT_FALSE(advice.at("policy").empty()) << advice.dump(2);
  EXPECT_EQ(advice.at("policy").front().at("op"), GetParam().culprit) << advice.dump(2);

  const double fine = std::stod(run_at("O0", "", line, folder).out);
  const double ruined = std::stod(run_at("O1", "", line, folder).out);
  const double saved = std::stod(run_at("O1", "p.amp", line, folder).out);
  EXPECT_FALSE(ruined < GetParam().ruined * fine) << fine << " at O0, " << ruined << " at O1";
  EXPECT_LT(saved, 1.1 * fine) << bytes_of(folder.path() / "p.amp");
}

// Kinds: an overflow, a sum that loses digits, and gradients that underflow.
INSTANTIATE_TEST_SUITE_P(Models, Planted,
                         ::testing::ValuesIn(test_support::with_repetitions<Plant>(
                             {{"softmax", "exp2", 1.5}, {"long_sum", "matmul", 1.5}, {"underflow", "mul", 1.5}},
                             {{"norm", "mul", 1.5}, {"exp", "exp", 1.5}})),
                         [](const auto& info) { return info.param.name; });

double dice_in(const std::string& out) {
  const auto at = out.find("test dice ");
  return at == std::string::npos ? NAN : std::stod(out.substr(at + 10));
}

TEST(Advice, NamesWhatOverflowsInSegmentationAndItsPolicySavesTheTraining) {
  AMPPROF_REPETITION();
  const TemporaryFolder folder;
  const auto advice = advice_on("sample:segmentation --steps 8 --opt-level O1 --threads 1", folder);
  ASSERT_EQ(advice.at("policy").size(), 1u) << advice.dump(2);
  EXPECT_EQ(advice.at("policy")[0].at("op"), "einsum");

  const std::string training = program("sample_segmentation") + " --steps 30 --threads 1";
  const double fine = dice_in(run_at("O0", "", training, folder).out);
  const double ruined = dice_in(run_at("O1", "", training, folder).out);
  EXPECT_GT(fine, 80.0);
  EXPECT_LT(ruined, 50.0);
  const auto saved = run_command(ampprof() + " run --force --reference off --policy p.amp -o s.ampprof " +
                                     "sample:segmentation --steps 30 --opt-level O1 --threads 1",
                                 folder.path());
  EXPECT_NEAR(dice_in(saved.out), fine, 2.0) << "two seeds differ by as much";
  for (const auto& event : queries::events(queries::Report(folder.path() / "s.ampprof")))
    EXPECT_LE(event.step, 10) << event.first_op;
}

}  // namespace advice_test
}  // namespace ampprof::testing
