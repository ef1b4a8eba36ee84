// SPDX-License-Identifier: Apache-2.0
#include "analysis/compare/comparison.h"

#include <gtest/gtest.h>

#include "analysis/compare/pairing.h"

namespace ampprof::analysis {
namespace comparison_test {

queries::RunRow run_of(std::int64_t id, bool is_deterministic) {
  queries::RunRow run;
  run.run = id;
  run.nonfinite_ops = id;
  run.settings_json = is_deterministic ? R"({"deterministic":true})" : "{}";
  return run;
}

std::optional<compare::Basis> basis_of(const std::vector<queries::RunRow>& a, const std::vector<queries::RunRow>& b) {
  const OwnedComparison pair({"r", {a}, Targets({})}, {"r", {b}, Targets({})}, {});
  return compare::metric_named(pair.side_by_side().difference.runs, "nonfinite_ops").basis;
}

TEST(Comparisons, AreDirectWhereAllRunsAreDeterministic) {
  using compare::Basis;
  EXPECT_EQ(basis_of({run_of(1, true)}, {run_of(2, true)}), Basis::Deterministic);
  EXPECT_EQ(basis_of({run_of(1, true)}, {run_of(2, false)}), Basis::NoRepeats);
  EXPECT_EQ(basis_of({run_of(1, false)}, {run_of(2, true)}), Basis::NoRepeats);
  EXPECT_TRUE(is_deterministic(run_of(1, true)));
  EXPECT_FALSE(is_deterministic(run_of(1, false)));
}

TEST(SidesOfComparisons, HoldTheRecordsOfTheirRuns) {
  std::vector<std::int64_t> asked;
  RunRecords records;
  records.ops.resize(2);
  records.events.resize(1);
  const auto records_of = [&](std::int64_t run) -> const RunRecords& {
    asked.push_back(run);
    return records;
  };
  const std::vector runs{run_of(1, false), run_of(2, false), run_of(3, false)};
  const SideOf side = side_of("r.ampprof", runs, {runs[0], runs[2]}, "A100", records_of);
  EXPECT_EQ(side.report, "r.ampprof");
  EXPECT_EQ(asked, (std::vector<std::int64_t>{1, 3}));
  EXPECT_EQ(side.repeats.runs.size(), 2u);
  EXPECT_EQ(side.repeats.ops.size(), 4u);
  EXPECT_EQ(side.repeats.events.size(), 2u);
}

}  // namespace comparison_test
}  // namespace ampprof::analysis
