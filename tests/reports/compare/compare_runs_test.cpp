// SPDX-License-Identifier: Apache-2.0
#include "reports/compare/compare_runs.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/reports/compare/sites.h"

namespace ampprof::compare {
namespace compare_runs_test {

ErrorStats error_of(double relative) {
  return {.count = 1, .sum_sq_error = relative * relative, .sum_sq_reference = 1};
}

/// Returns one repeat for each entry of `us`. In repeat i, each module calls a convolution and a ReLU, and each call
/// takes us[i].
Repeats repeats(const std::vector<double>& us, const std::vector<std::string>& modules, double error = 0x1p-11) {
  Repeats side{.runs = {}};
  for (std::size_t i = 0; i < us.size(); ++i) {
    const auto run = static_cast<std::int64_t>(i + 1);
    queries::RunRow& row_of_run = side.runs.emplace_back();
    row_of_run.run = run;
    row_of_run.ms_per_step = us[i] / 100;
    for (queries::OpRow row : blocks(modules)) {
      row.run = run;
      row.cpu_us = us[i] * static_cast<double>(row.calls);
      row.local = error_of(error);
      side.ops.push_back(row);
    }
  }
  return side;
}

TEST(CompareRuns, TellsADifferenceFromNoise) {
  const Repeats a = repeats({100, 101, 102, 103}, {"m"});
  const Repeats slower = repeats({140, 141, 142, 143}, {"m"});
  const Repeats alike = repeats({100.5, 101.5, 102.5, 100.7}, {"m"});
  const auto time_of = [&](const Repeats& b) {
    return metric_named(compare_runs(a, b, {}).sites.at(0).figures, "cpu_us_per_call");
  };
  EXPECT_EQ(time_of(slower).verdict, Verdict::Differs);
  EXPECT_DOUBLE_EQ(*time_of(slower).p, 2.0 / 70);
  EXPECT_EQ(time_of(slower).b, 141.5) << "of a call";
  EXPECT_EQ(time_of(alike).verdict, Verdict::Same);
  EXPECT_EQ(compare_runs(a, alike, {}).count(Verdict::Same), 2u);
  EXPECT_EQ(compare_runs(a, alike, {}).count(Verdict::Differs), 0u);
  EXPECT_EQ(metric_named(compare_runs(a, slower, {}).runs, "ms_per_step").verdict, Verdict::Differs);
  EXPECT_EQ(compare_runs(a, slower, {}).tested(), 2u);
}

TEST(CompareRuns, CannotTellTimesWithoutRepeats) {
  const Repeats a = repeats({100}, {"m"});
  const Repeats b = repeats({900}, {"m"});
  const Difference difference = compare_runs(a, b, {});
  EXPECT_EQ(difference.count(Verdict::CannotTell), 2u);
  EXPECT_EQ(difference.count(Verdict::Differs), 0u);
  EXPECT_EQ(metric_named(difference.sites[0].figures, "local_rel_l2").verdict, Verdict::Same);
  EXPECT_EQ(metric_named(difference.sites[0].figures, "inherited_rel_l2").verdict, std::nullopt) << "not measured";
}

TEST(CompareRuns, PutsTheLargestChangeFirst) {
  Repeats a = repeats({100, 100}, {"m", "n", "o", "p"});
  Repeats b = a;
  for (queries::OpRow& row : b.ops) {
    if (row.module == "n") row.local = error_of(0x1p-9);   // differs: all repeats of a side agree exactly
    if (row.module == "o") row.local = error_of(0x1p-10);  // a smaller change
    if (row.module == "p") row.cpu_us *= 1000;             // too few repeats to tell
  }
  b.ops.push_back(op_row("q", "add"));
  const Difference difference = compare_runs(a, b, {});
  ASSERT_EQ(difference.sites.size(), 9u);
  EXPECT_EQ(difference.sites[0].sites.any().key.module, "n");
  EXPECT_EQ(difference.sites[0].sites.any().key.op, "conv2d") << "before what is called behind it";
  EXPECT_EQ(difference.sites[1].sites.any().key.op, "relu");
  EXPECT_EQ(difference.sites[0].weight(), 3);
  EXPECT_EQ(difference.sites[0].change(), 2);
  EXPECT_EQ(difference.sites[2].sites.any().key.module, "o");
  EXPECT_EQ(difference.sites[4].sites.any().key.module, "p");
  EXPECT_EQ(difference.sites[7].sites.any().key.module, "m");
  EXPECT_EQ(difference.sites[7].weight(), 0);
  EXPECT_EQ(difference.sites[7].change(), 0);
  EXPECT_EQ(difference.count(Verdict::Differs), 4u);
  EXPECT_EQ(difference.count(Verdict::CannotTell), 4u);
  EXPECT_EQ(difference.count(Verdict::Same), 0u);
  EXPECT_EQ(difference.sites[8].sites.match, Match::OnlyB);
  EXPECT_LT(difference.sites[8].weight(), difference.sites[7].weight()) << "behind what is the same on both sides";
}

TEST(CompareRuns, SortsExactFiguresBeforeNoisyOnes) {
  const Repeats a = repeats({100}, {"m", "n"});  // with one run per side, times cannot be told apart
  Repeats b = a;
  for (queries::OpRow& row : b.ops) {
    if (row.module == "m") row.cpu_us *= 1000;
    if (row.module == "n") row.local = error_of(0x1p-10);
  }
  const Difference difference = compare_runs(a, b, {});
  EXPECT_EQ(difference.sites.front().sites.any().key.module, "n");
  EXPECT_EQ(difference.sites.front().weight(), 2);
  EXPECT_EQ(difference.sites.back().weight(), 1);
}

TEST(CompareRuns, CountsTheEventsThatBeganAtACallSite) {
  const Repeats a = repeats({100}, {"m"});
  Repeats b = a;
  b.events.resize(3);
  for (queries::EventRow& event : b.events) {
    event.run = 1;
    event.by_scaler = true;
  }
  b.events[0].first_op = b.events[2].first_op = "m/relu";
  const Difference difference = compare_runs(a, b, {});
  EXPECT_EQ(difference.sites[0].sites.any().key.op, "relu");
  EXPECT_EQ(metric_named(difference.sites[0].figures, "overflow_events").b, 2.0);
  EXPECT_EQ(metric_named(difference.sites[0].figures, "overflow_events").a, 0.0);
  EXPECT_EQ(metric_named(difference.sites[1].figures, "overflow_events").b, 0.0);
}

TEST(CompareRuns, SuggestsRenamesAndAppliesThemOnlyWhenAsked) {
  const Repeats a = repeats({100}, {"enc.conv", "enc.fc", "head"});
  const Repeats b = repeats({100}, {"net.conv", "net.fc", "head"});
  const Difference plain = compare_runs(a, b, {});
  EXPECT_EQ(plain.count(Match::Exact), 2u);
  EXPECT_EQ(plain.count(Match::Renamed), 0u);
  ASSERT_EQ(plain.suggestions.size(), 1u);
  EXPECT_EQ(plain.suggestions[0].call_sites, 4u);

  const Difference applied = compare_runs(a, b, {.apply_suggestions = true});
  EXPECT_EQ(applied.count(Match::Renamed), 4u);
  EXPECT_TRUE(applied.suggestions.empty());

  const Difference said = compare_runs(a, b, {.renames = {{"enc.conv", "net.conv"}}});
  EXPECT_EQ(said.count(Match::Renamed), 2u);
  ASSERT_EQ(said.suggestions.size(), 1u);
  EXPECT_EQ(said.suggestions[0].call_sites, 2u) << "an applied rename is no longer a suggestion";
}

TEST(CompareRuns, AppliesRenamesOfTheUserBeforeSuggestions) {
  const Repeats a = repeats({100}, {"enc.conv", "enc.fc"});
  const Repeats b = repeats({100}, {"net.conv", "net.fc"});
  const Difference elsewhere = compare_runs(a, b, {.renames = {{"enc.conv", "other"}}, .apply_suggestions = true});
  EXPECT_EQ(elsewhere.count(Match::Renamed), 2u) << "enc.fc";
  EXPECT_EQ(elsewhere.count(Match::OnlyA), 2u);
  const Difference first =
      compare_runs(a, b, {.renames = {{"none", "x"}, {"enc.conv", "net.conv"}, {"enc.conv", "y"}}});
  EXPECT_EQ(first.count(Match::Renamed), 2u) << "the first that fits";
}

TEST(CompareRuns, SuggestsNoModuleOfEitherSideThatWasMatched) {
  const Repeats a = repeats({100}, {"enc.conv", "enc.fc"});
  const Repeats b = repeats({100}, {"net.conv", "net.fc"});
  const Difference crossed = compare_runs(a, b, {.renames = {{"enc.conv", "net.fc"}}});
  EXPECT_EQ(crossed.count(Match::Renamed), 2u);
  EXPECT_TRUE(crossed.suggestions.empty()) << "enc.conv was matched, and so was net.fc";
}

TEST(CompareRuns, KnowsEachFigureOfARun) {
  Repeats a{.runs = {{}}};
  queries::RunRow& run = a.runs[0];
  run.ms_per_step = 1;
  run.overhead_ms_per_step = 2;
  run.gpu_ms_per_step = 3;
  run.peak_bytes = 4;
  run.steps = 5;
  run.initial_loss = 6;
  run.final_loss = 7;
  run.last_loss_mean = 8;
  run.nonfinite_losses = 9;
  run.overflow_events = 10;
  run.nonfinite_events = 11;
  run.skipped_steps = 12;
  run.loss_scale_final = 13;
  run.nonfinite_ops = 14;
  const Difference difference = compare_runs(a, {.runs = {{}}}, {});
  for (std::size_t i = 0; i < difference.runs.size(); ++i) {
    EXPECT_EQ(difference.runs[i].a, static_cast<double>(i + 1)) << difference.runs[i].name;
  }
  EXPECT_EQ(metric_named(difference.runs, "peak_bytes").b, std::nullopt);
  EXPECT_EQ(metric_named(difference.runs, "steps").b, 0.0);
}

}  // namespace compare_runs_test
}  // namespace ampprof::compare
