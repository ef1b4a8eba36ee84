// SPDX-License-Identifier: Apache-2.0
// Compares statistics that arrive at the end of a step, as for GPU tensors, with statistics that arrive with each call.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ostream>
#include <string>
#include <vector>

#include "reports/queries/events.h"
#include "reports/queries/impacts.h"
#include "reports/queries/missing.h"
#include "reports/queries/ops.h"
#include "reports/queries/report.h"
#include "reports/queries/run_names.h"
#include "reports/queries/sketches.h"
#include "reports/queries/updates.h"
#include "reports/records/loss_impact.h"
#include "reports/records/statistics.h"
#include "reports/records/step.h"
#include "tests/end_to_end/command.h"
#include "tests/repetitions.h"

namespace ampprof::testing {
namespace pending_test {

using test_support::with_repetitions;

/// The contents of a run's report.
struct Found {
  std::vector<queries::OpRow> ops;
  std::vector<queries::EventRow> events;
  std::vector<queries::MissingRow> missing;
  std::vector<queries::UpdateRow> updates;
  std::vector<queries::ImpactRow> impacts;
};

Found found_in(const std::string& environment, const std::string& line) {
  const TemporaryFolder folder;
  const auto run = run_command(environment + ampprof() + " run --force -o r.ampprof " + line, folder.path());
  EXPECT_EQ(run.exit_code, 0) << run.err;
  const queries::Report report(folder.path() / "r.ampprof");
  return {queries::ops(report), queries::events(report), queries::missing(report), queries::updates(report),
          queries::impacts(report)};
}

Found found_by(const std::string& environment, const std::string& line) {
  return found_in(environment, line + " --batch-size 8 --threads 1");
}

void expect_same(const std::optional<ErrorStats>& pending, const std::optional<ErrorStats>& now) {
  ASSERT_EQ(pending.has_value(), now.has_value());
  if (!now) return;
  EXPECT_EQ(pending->count, now->count);
  EXPECT_EQ(pending->excluded, now->excluded);
  EXPECT_EQ(pending->flushed, now->flushed);
  EXPECT_NEAR(pending->sum_ulp, now->sum_ulp, 1e-6 * now->sum_ulp);
  EXPECT_NEAR(pending->sum_sq_error, now->sum_sq_error, 1e-6 * now->sum_sq_error);
}

/// Returns whether an op may return a view of uninitialized memory, which holds values of an earlier run.
bool may_be_unset(const queries::OpRow& op) { return op.op == "select.int" || op.op == "as_strided"; }

/// Removes views of uninitialized memory from a chain of calls. Such memory may hold NaN.
std::vector<std::string> without_unset(std::vector<std::string> chain) {
  std::erase_if(chain, [](const std::string& site) {
    return site.find("as_strided") != std::string::npos || site.find("select.int") != std::string::npos;
  });
  return chain;
}

void expect_same(const std::vector<queries::ImpactRow>& pending, const std::vector<queries::ImpactRow>& now) {
  ASSERT_EQ(pending.size(), now.size());
  for (std::size_t i = 0; i < now.size(); ++i) {
    SCOPED_TRACE(now[i].name);
    EXPECT_EQ(pending[i].name, now[i].name);
    EXPECT_EQ(pending[i].source, now[i].source);
    EXPECT_EQ(pending[i].loss_id, now[i].loss_id);
    EXPECT_EQ(pending[i].impact, now[i].impact);
    EXPECT_EQ(pending[i].impact_rms, now[i].impact_rms);
    EXPECT_EQ(pending[i].steps, now[i].steps);
    EXPECT_EQ(pending[i].gaps, now[i].gaps);
    EXPECT_EQ(pending[i].gap, now[i].gap);
  }
}

class PendingFigures : public ::testing::TestWithParam<const char*> {};

TEST_P(PendingFigures, AreTheSame) {
  const Found now = found_by("", GetParam());
  const Found pending = found_by("AMPPROF_PENDING=1 ", GetParam());
  ASSERT_GT(now.ops.size(), 10u);
  ASSERT_EQ(pending.ops.size(), now.ops.size());
  for (std::size_t i = 0; i < now.ops.size(); ++i) {
    SCOPED_TRACE(now.ops[i].call_site);
    EXPECT_EQ(pending.ops[i].call_site, now.ops[i].call_site);
    EXPECT_EQ(pending.ops[i].calls, now.ops[i].calls);
    if (may_be_unset(now.ops[i])) continue;
    EXPECT_EQ(pending.ops[i].ranges, now.ops[i].ranges);
    EXPECT_EQ(pending.ops[i].exponents, now.ops[i].exponents);
    EXPECT_EQ(pending.ops[i].inherited_exponents, now.ops[i].inherited_exponents);
    EXPECT_EQ(pending.ops[i].nonfinite_expected, now.ops[i].nonfinite_expected);
    EXPECT_EQ(pending.ops[i].loss_impact.value_or(0), now.ops[i].loss_impact.value_or(0));
    expect_same(pending.ops[i].local, now.ops[i].local);
    expect_same(pending.ops[i].inherited, now.ops[i].inherited);
  }
  expect_same(pending.impacts, now.impacts);
  EXPECT_EQ(pending.missing.size(), now.missing.size());
  ASSERT_EQ(pending.updates.size(), now.updates.size());
  for (std::size_t i = 0; i < now.updates.size(); ++i) {
    const WeightUpdate& update = now.updates[i].total;
    EXPECT_EQ(pending.updates[i].total.parameter, update.parameter);
    EXPECT_EQ(pending.updates[i].total.count, update.count) << update.parameter;
    EXPECT_EQ(pending.updates[i].total.lost, update.lost) << update.parameter;
    EXPECT_NEAR(pending.updates[i].total.sum_ulp, update.sum_ulp, 1e-9 * update.sum_ulp) << update.parameter;
  }
  ASSERT_EQ(pending.events.size(), now.events.size());
  for (std::size_t i = 0; i < now.events.size(); ++i) {
    EXPECT_EQ(pending.events[i].step, now.events[i].step);
    EXPECT_EQ(pending.events[i].first_op, now.events[i].first_op);
    EXPECT_EQ(without_unset(pending.events[i].chain), without_unset(now.events[i].chain));
    EXPECT_EQ(pending.events[i].largest_safe_scale, now.events[i].largest_safe_scale);
    EXPECT_EQ(pending.events[i].largest_safe_scale_is_bound, now.events[i].largest_safe_scale_is_bound);
  }
}

INSTANTIATE_TEST_SUITE_P(Runs, PendingFigures,
                         ::testing::ValuesIn(with_repetitions<const char*>(
                             {"--inherited --impact sample:mnist_cnn --steps 3 --opt-level O1",
                              "--impact sample:mnist_cnn --steps 5 --opt-level O2 --poison-step 3",
                              "--what-if fp16 sample:mnist_cnn --steps 2 --opt-level O0",
                              "sample:dcgan --steps 3 --opt-level O1"},
                             {"--inherited sample:mnist_cnn --steps 5 --opt-level O1 --poison-step 3",
                              "--inherited sample:transformer --steps 2 --opt-level O2"})));

/// Returns whether an op only fills memory. The input of such an op is whatever the memory held before.
bool fills(const std::string& op) { return op == "uniform_" || op == "zero_" || op == "fill_.Scalar"; }

std::vector<queries::SketchRow> sketches_by(const std::string& environment, const std::string& options) {
  const TemporaryFolder folder;
  const auto run = run_command(environment + ampprof() + " run --force -o r.ampprof --sketch " + options +
                                   " sample:mnist_cnn --steps 2 --opt-level O1 --batch-size 8 --threads 1",
                               folder.path());
  EXPECT_EQ(run.exit_code, 0) << run.err;
  const queries::Report report(folder.path() / "r.ampprof");
  return queries::sketches(report, queries::runs_named(report).at(0).id);
}

TEST(PendingFigures, HaveTheSameSketchesInTheSameOrder) {
  for (const std::string& options : with_repetitions<std::string>({""}, {"--reference off"})) {
    const auto now = sketches_by("", options);
    const auto pending = sketches_by("AMPPROF_PENDING=1 ", options);
    ASSERT_GT(now.size(), 50u);
    ASSERT_EQ(pending.size(), now.size());
    for (std::size_t i = 0; i < now.size(); ++i) {
      EXPECT_EQ(pending[i].op, now[i].op) << i;
      EXPECT_EQ(pending[i].step, now[i].step) << i;
      if (!fills(now[i].op)) {
        EXPECT_EQ(pending[i].sketch.inputs, now[i].sketch.inputs) << i << ' ' << now[i].op;
      }
      EXPECT_EQ(pending[i].sketch.elements, now[i].sketch.elements) << i << ' ' << now[i].op;
      EXPECT_EQ(pending[i].sketch.checksum, now[i].sketch.checksum) << i << ' ' << now[i].op;
      EXPECT_EQ(pending[i].sketch.sums, now[i].sketch.sums) << i << ' ' << now[i].op;
    }
  }
}

// ampprof finds the scale with the first gradients. Their statistics may arrive before or after that.
TEST(PendingFigures, AreDividedByTheScaleOfAGradScaler) {
  if (python().empty()) GTEST_SKIP() << "no Python beside this LibTorch";
  const std::string line = "--impact -- " + python() + " " + script("train.py") + " --amp --init-scale 1000";
  const Found now = found_in("OMP_NUM_THREADS=1 ", line);
  const auto is_known = [](const queries::ImpactRow& row) { return row.impact.has_value(); };
  EXPECT_TRUE(std::ranges::any_of(now.impacts, is_known));
  expect_same(found_in("AMPPROF_PENDING=1 OMP_NUM_THREADS=1 ", line).impacts, now.impacts);
}

TEST(PendingFigures, HaveAnOverflowToFind) {
  const Found pending = found_by("AMPPROF_PENDING=1 ", "sample:mnist_cnn --steps 5 --opt-level O2 --poison-step 3");
  ASSERT_FALSE(pending.events.empty());
  EXPECT_FALSE(pending.events[0].first_op.empty());
  EXPECT_FALSE(pending.events[0].chain.empty());
  EXPECT_EQ(pending.events[0].first_op_phase, Phase::Backward);
  EXPECT_FALSE(pending.events[0].largest_safe_scale_is_bound) << "the shadow saw the gradients";
  const auto has_gradient_gap = [](const queries::ImpactRow& row) { return row.gap == ImpactGap::GradientNotFinite; };
  EXPECT_FALSE(std::ranges::any_of(pending.impacts, has_gradient_gap)) << "errors meet the shadow's";
  EXPECT_TRUE(std::ranges::any_of(pending.impacts, [](const queries::ImpactRow& row) { return row.impact > 0.0; }));
  const Found alone = found_by("AMPPROF_PENDING=1 ",
                               "--impact --no-inherited sample:mnist_cnn --steps 5 --opt-level O2 --poison-step 3");
  EXPECT_TRUE(std::ranges::any_of(alone.impacts, has_gradient_gap)) << "the run's own";
}

}  // namespace pending_test
}  // namespace ampprof::testing
