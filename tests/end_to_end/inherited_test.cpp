// SPDX-License-Identifier: Apache-2.0
// Tests that the shadow of a real training adds inherited errors to a report and changes nothing else in it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "reports/queries/losses.h"
#include "reports/queries/missing.h"
#include "reports/queries/ops.h"
#include "reports/queries/report.h"
#include "tests/end_to_end/command.h"
#include "tests/repetitions.h"

namespace ampprof::testing {
namespace inherited_test {

struct Case {
  std::string sample;
  std::string level;
};

void PrintTo(const Case& value, std::ostream* out) { *out << value.sample << " " << value.level; }

const std::string kShadow = "--inherited --impact";

/// Returns the op calls in a run's report. Each run is made once for all tests.
const std::vector<queries::OpRow>& ops_of(const Case& value, const std::string& options) {
  static std::map<std::string, std::vector<queries::OpRow>> ops;
  const std::string line = ampprof() + " run -o r.ampprof " + options + " sample:" + value.sample + " --opt-level " +
                           value.level + " --steps 3 --batch-size 8 --threads 1";
  const auto [at, is_new] = ops.try_emplace(line);
  if (!is_new) return at->second;
  const TemporaryFolder folder;
  const auto run = run_command(line, folder.path());
  EXPECT_EQ(run.exit_code, 0) << run.err;
  const queries::Report report(folder.path() / "r.ampprof");
  for (const queries::MissingRow& row : queries::missing(report)) {
    EXPECT_EQ(row.missing.what + ": " + value.sample, "gradient impact of backward ops: dcgan")
        << "a generator's images are made in the discriminator's step";
  }
  at->second = queries::ops(report);
  return at->second;
}

bool has_inherited(const queries::OpRow& op) { return op.inherited.has_value(); }

const queries::OpRow& op_at(const std::vector<queries::OpRow>& ops, const std::string& call_site) {
  return *std::ranges::find(ops, call_site, &queries::OpRow::call_site);
}

/// The shadow starts each step from the run's weights, so its loss is that of an O0 step with the same weights.
TEST(InheritedLoss, IsThatOfTheSameStepWithoutRounding) {
  const TemporaryFolder folder;
  const auto trained =
      run_command(program("sample_mlp") + " --opt-level O0 --steps 5 --threads 1 --save-weights w.pt", folder.path());
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  const auto losses = [&](const std::string& options, const std::string& level) {
    const auto run = run_command(ampprof() + " run --force -o r.ampprof " + options + " sample:mlp --opt-level " +
                                     level + " --steps 4 --batch-size 8 --threads 1 --hold-weights w.pt",
                                 folder.path());
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return queries::losses(queries::Report(folder.path() / "r.ampprof"));
  };
  const auto exact = losses("--reference off", "O0"), in_bf16 = losses("--every 1 --inherited", "O1 --type bf16");
  ASSERT_EQ(in_bf16.size(), exact.size());
  for (std::size_t i = 0; i < exact.size(); ++i) {
    EXPECT_NEAR(in_bf16[i].loss.shadow_value.value_or(0.0), exact[i].loss.value, 2e-6);
    EXPECT_GT(std::abs(in_bf16[i].loss.value - exact[i].loss.value), 1e-5) << "BF16 changes it";
    EXPECT_EQ(exact[i].loss.shadow_value, std::nullopt);
  }
}

class Inherited : public ::testing::TestWithParam<Case> {};

/// Compares errors. The calls of a step may come in a different order, so sums differ in their last bits.
void expect_same_errors(const ErrorStats& a, const ErrorStats& b, const std::string& call_site) {
  EXPECT_EQ(a.count, b.count) << call_site;
  EXPECT_EQ(a.flushed, b.flushed) << call_site;
  EXPECT_EQ(a.max_abs, b.max_abs) << call_site;
  EXPECT_EQ(a.max_ulp, b.max_ulp) << call_site;
  EXPECT_NEAR(a.sum_sq_error, b.sum_sq_error, 1e-12 * b.sum_sq_error) << call_site;
  EXPECT_NEAR(a.sum_ulp, b.sum_ulp, 1e-12 * b.sum_ulp) << call_site;
}

TEST_P(Inherited, LeavesCallSitesAndTheirLocalErrorsAsTheyAre) {
  const auto& without = ops_of(GetParam(), "--no-inherited --impact");
  const auto& with = ops_of(GetParam(), kShadow);
  EXPECT_TRUE(std::ranges::none_of(without, has_inherited));
  EXPECT_TRUE(std::ranges::any_of(with, has_inherited));
  ASSERT_EQ(with.size(), without.size());
  for (std::size_t i = 0; i < with.size(); ++i) {
    EXPECT_EQ(with[i].call_site, without[i].call_site);
    EXPECT_EQ(with[i].calls, without[i].calls) << with[i].call_site;
    EXPECT_EQ(with[i].local.has_value(), without[i].local.has_value()) << with[i].call_site;
    if (with[i].local) expect_same_errors(*with[i].local, *without[i].local, with[i].call_site);
    EXPECT_EQ(with[i].cast_bytes, without[i].cast_bytes) << with[i].call_site;
  }
}

TEST_P(Inherited, HoldsWhatTheOpAddedItself) {
  int compared = 0;
  for (const queries::OpRow& op : ops_of(GetParam(), kShadow)) {
    if (op.phase != Phase::Forward || !op.local || op.local->relative_l2() == 0) continue;
    ASSERT_TRUE(op.inherited) << op.call_site;
    // The errors of an op and of its inputs are almost independent, so they rarely cancel.
    EXPECT_GT(op.inherited->relative_l2(), 0.5 * op.local->relative_l2()) << op.call_site;
    ++compared;
  }
  EXPECT_GT(compared, 2);
}

INSTANTIATE_TEST_SUITE_P(Samples, Inherited,
                         ::testing::ValuesIn(test_support::with_repetitions<Case>(
                             {{"mnist_cnn", "O1"}, {"dcgan", "O2"}, {"char_lstm", "O1"}},
                             {{"mnist_cnn", "O2"}, {"dcgan", "O1"}, {"transformer", "O2"}})));

TEST(InheritedError, GrowsAlongTheStep) {
  const auto& ops = ops_of({"mnist_cnn", "O1"}, kShadow);
  const double first = op_at(ops, "conv1/conv2d").inherited->relative_l2();
  EXPECT_DOUBLE_EQ(first, op_at(ops, "conv1/conv2d").local->relative_l2()) << "nothing came before it";
  EXPECT_GT(op_at(ops, "bn2/batch_norm").inherited->relative_l2(), 1.5 * first);
  EXPECT_GT(op_at(ops, "backward conv1/convolution_backward").inherited->relative_l2(), 1.5 * first);
  EXPECT_TRUE(op_at(ops, "optimizer conv1/add_.Tensor").inherited) << "up to the weights";
}

TEST(InheritedError, AtO2CountsFromTheMastersAndFromTheBatchAsItWasLoaded) {
  const auto& ops = ops_of({"mnist_cnn", "O2"}, kShadow);
  const queries::OpRow& first = op_at(ops, "conv1/conv2d");
  EXPECT_GT(first.inherited->relative_l2(), 1.2 * first.local->relative_l2()) << "weights and batch were rounded";
  EXPECT_GT(op_at(ops, "to.dtype").inherited->relative_l2(), 1e-5) << "the batch";
}

TEST(InheritedError, IsThereForTheStepsThatAreRecorded) {
  const auto& all = ops_of({"mnist_cnn", "O2"}, kShadow);
  const auto& last = ops_of({"mnist_cnn", "O2"}, "--inherited --steps 3:3");
  const auto& a = op_at(all, "conv1/conv2d");
  const auto& b = op_at(last, "conv1/conv2d");
  EXPECT_EQ(a.inherited->count, 3 * b.inherited->count);
  EXPECT_GT(b.inherited->relative_l2(), 1.2 * b.local->relative_l2()) << "its batch was cast before the step began";
}

TEST(InheritedError, OfAnFp32RunIsNoneAgainstFp32AndItsRoundingAgainstFp64) {
  EXPECT_TRUE(std::ranges::none_of(ops_of({"mnist_cnn", "O0"}, "--inherited"), has_inherited));
  const auto& ops = ops_of({"mnist_cnn", "O0"}, "--inherited --reference fp64");
  const double error = op_at(ops, "bn2/batch_norm").inherited->relative_l2();
  EXPECT_GT(error, 1e-8);
  EXPECT_LT(error, 1e-5);
}

}  // namespace inherited_test
}  // namespace ampprof::testing
