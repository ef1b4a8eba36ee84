// SPDX-License-Identifier: Apache-2.0
#include "analysis/diagnosis/judged_gates.h"

#include <gtest/gtest.h>

#include "reports/gates/parser.h"

namespace ampprof::analysis {
namespace judged_gates_test {

std::vector<Gate> gates_of(const std::vector<std::string>& rules) {
  std::vector<Gate> gates;
  for (const std::string& rule : rules) gates.push_back({gates::parse_rule(rule), ""});
  return gates;
}

TEST(Gates, AskForCallSitesWhereOneMetricDoes) {
  EXPECT_EQ(detail_for({}), GateDetail());
  EXPECT_EQ(detail_for(gates_of({"overflows <= 3", "ms_per_step < 3 ms"})), GateDetail());
  EXPECT_EQ(detail_for(gates_of({"overflows <= 3", "local_rel_l2 < 1e-3"})), (GateDetail{.sites = true}));
  EXPECT_EQ(detail_for(gates_of({"overflows <= 3 and 2 * local_rel_l2(conv*) < 1e-3"})), (GateDetail{.sites = true}));
}

TEST(Gates, AskForFindingsByEitherName) {
  EXPECT_EQ(detail_for(gates_of({"findings == 0"})), (GateDetail{.findings = true}));
  EXPECT_EQ(detail_for(gates_of({"steps > 1 and finding(stale_cast) == 0"})), (GateDetail{.findings = true}));
}

TEST(Gates, CompareTimesOfDifferentRuns) {
  const auto compares = [](const std::string& rule) { return compare_times(gates_of({"steps > 1", rule})); };
  EXPECT_TRUE(compares("ms_per_step(O1) < 0.8 * ms_per_step(O0)"));
  EXPECT_TRUE(compares("steps > 2 or ms_per_step(O1) < ms_per_step(O0)"));
  EXPECT_FALSE(compares("ms_per_step(O1) < 3 ms"));
  EXPECT_FALSE(compares("ms_per_step(O1) < 2 * ms_per_step(O1)"));
  EXPECT_FALSE(compares("peak_bytes(O1) < peak_bytes(O0)")) << "memory is not a time";
  EXPECT_FALSE(compares("ms_per_step(O1) < 3 ms and ms_per_step(O0) < 3 ms")) << "each stands for itself";
}

TEST(Gates, AreCountedWhereTheyDoNotPass) {
  const auto gate = [](gates::GateOutcome outcome) { return JudgedGate{{"rule", outcome, {}}, ""}; };
  using enum gates::GateOutcome;
  EXPECT_EQ(count_failed({gate(Pass), gate(Fail), gate(Unknown), gate(DoesNotApply)}), 3u);
  EXPECT_EQ(count_failed({gate(Pass)}), 0u);
}

}  // namespace judged_gates_test
}  // namespace ampprof::analysis
