// SPDX-License-Identifier: Apache-2.0
// Tests where NaN and inf begin in programs without a loss scaler, and what they cause.
#include <gtest/gtest.h>

#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "reports/queries/events.h"
#include "reports/queries/report.h"
#include "reports/queries/runs.h"
#include "tests/end_to_end/command.h"

namespace ampprof::testing {
namespace nonfinite_events_test {

using enum NonfiniteOutcome;

struct Case {
  const char* name;
  std::int64_t events;               ///< number of events; a step has at most one
  std::optional<std::int64_t> step;  ///< step of the first event; empty if it depends on the number of images
  const char* op;
  NonfiniteCause cause;
  NonfiniteOutcome outcome;
  std::optional<bool> fp32_holds;
};

void PrintTo(const Case& one, std::ostream* out) { *out << one.name; }

queries::Report record(const TemporaryFolder& folder, const std::string& environment, const std::string& program) {
  const auto run = run_command(environment + ampprof() + " run --force -o r.ampprof -- " + python() + " " +
                                   script("nonfinite.py") + " " + program,
                               folder.path());
  EXPECT_EQ(run.exit_code, 0) << run.err;
  return queries::Report(folder.path() / "r.ampprof");
}

class NonfiniteEvents : public ::testing::TestWithParam<Case> {};

TEST_P(NonfiniteEvents, SayWhereTheyBeganAndWhatBecameOfThem) {
  if (python().empty()) GTEST_SKIP() << "no Python beside this LibTorch";
  const Case& expected = GetParam();
  const TemporaryFolder folder;
  const queries::Report report = record(folder, "", expected.name);
  const auto events = queries::events(report);
  const queries::RunRow run = queries::runs(report).at(0);
  EXPECT_EQ(run.nonfinite_events, expected.events);
  EXPECT_EQ(run.overflow_events, 0) << "without a scaler";
  ASSERT_EQ(events.size(), static_cast<std::size_t>(expected.events));
  if (events.empty()) return;
  const queries::EventRow& first = events.front();
  EXPECT_EQ(first.step, expected.step.value_or(first.step));
  EXPECT_NE(first.first_op.find(expected.op), std::string::npos) << first.first_op;
  EXPECT_NE(first.first_op_source.find("nonfinite.py:"), std::string::npos) << first.first_op_source;
  EXPECT_EQ(name_of(first.cause), name_of(expected.cause));
  EXPECT_EQ(name_of(first.outcome), name_of(expected.outcome));
  EXPECT_EQ(first.fp32_holds, expected.fp32_holds);
}

INSTANTIATE_TEST_SUITE_P(
    Programs, NonfiniteEvents,
    ::testing::Values(Case{"square", 3, 1, "pow.Tensor_Scalar", NonfiniteCause::TooLarge, Masked, true},
                      Case{"update", 1, 1, "addcdiv_", NonfiniteCause::DivisionByZero, Weight, false},
                      Case{"clip", 3, 1, "mm", NonfiniteCause::TooLarge, Clamped, true},
                      Case{"inference", 1, std::nullopt, "mul.Tensor", NonfiniteCause::TooLarge, Result, true},
                      Case{"mask", 0, std::nullopt, "", NonfiniteCause::Unknown, Nothing, std::nullopt},
                      Case{"finite_mask", 3, 1, "add.Tensor", NonfiniteCause::TooLarge, Masked, true},
                      Case{"loss", 1, 2, "sum", NonfiniteCause::TooLarge, Loss, true},
                      Case{"buffer", 1, std::nullopt, "to.dtype", NonfiniteCause::TooLarge, Buffer, true}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(LateNonfiniteEvents, AreThoseOfFiguresThatComeAtOnce) {
  if (python().empty()) GTEST_SKIP() << "no Python beside this LibTorch";
  const TemporaryFolder now;
  const TemporaryFolder late;
  const auto expected = queries::events(record(now, "", "loss"));
  const auto events = queries::events(record(late, "AMPPROF_PENDING=1 ", "loss"));
  ASSERT_EQ(events.size(), expected.size());
  EXPECT_EQ(events[0].first_op, expected[0].first_op);
  EXPECT_EQ(name_of(events[0].outcome), name_of(expected[0].outcome));
}

TEST(StopOnNonfiniteUpdate, EndsTheProgramBehindTheUpdate) {
  if (python().empty()) GTEST_SKIP() << "no Python beside this LibTorch";
  const TemporaryFolder folder;
  const auto run = run_command(ampprof() + " run --stop-on nonfinite-update " + "-o r.ampprof -- " + python() + " " +
                                   script("nonfinite.py") + " update",
                               folder.path());
  EXPECT_EQ(run.exit_code, 3) << run.err;
  EXPECT_NE(run.err.find("stopped in step 1, whose update wrote NaN or inf to weight (--stop-on nonfinite-update)"),
            std::string::npos)
      << run.err;
  const queries::Report report(folder.path() / "r.ampprof");
  EXPECT_EQ(queries::runs(report).at(0).steps, 1);
  const auto events = queries::events(report);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(name_of(events[0].outcome), name_of(Weight));
}

TEST(StopOnNonfiniteUpdate, LetsAProgramRunWhoseWeightsStayFinite) {
  if (python().empty()) GTEST_SKIP() << "no Python beside this LibTorch";
  const TemporaryFolder folder;
  const auto run = run_command(ampprof() + " run --stop-on nonfinite-update -o r.ampprof -- " + python() + " " +
                                   script("nonfinite.py") + " clip",
                               folder.path());
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(queries::runs(queries::Report(folder.path() / "r.ampprof")).at(0).steps, 3);
}

}  // namespace nonfinite_events_test
}  // namespace ampprof::testing
