// SPDX-License-Identifier: Apache-2.0
#include "views/diagnosis/gates.h"

#include <gtest/gtest.h>

#include <cmath>

#include "analysis/diagnosis/judged_gates.h"
#include "reports/gates/evaluate.h"
#include "reports/gates/expression.h"
#include "reports/gates/metrics.h"

namespace ampprof::views {
namespace gates_test {

using gates::Comparison;
using gates::GateOutcome;
using gates::Operation;
using gates::Unit;

Comparison compared(std::optional<double> left, std::optional<double> right, Unit unit = {},
                    GateOutcome outcome = GateOutcome::Pass, const std::string& occasion = "") {
  return {.occasion = occasion,
          .left_text = "l",
          .right_text = "r",
          .left = left,
          .right = right,
          .unit = unit,
          .operation = Operation::LessOrEqual,
          .outcome = outcome,
          .reason = "of a reason"};
}

std::string values_of(GateOutcome outcome, std::vector<Comparison> comparisons) {
  const analysis::JudgedGate gate{{"l <= r", outcome, std::move(comparisons)}, ""};
  return gates_view({gate}, Format::Table).records.at(0).json.at("values");
}

std::string values_of(const Comparison& comparison) { return values_of(comparison.outcome, {comparison}); }

TEST(GateValues, HaveTheDigitsThatTellThemApart) {
  EXPECT_EQ(values_of(compared(1.0, 2.0)), "1 <= 2");
  EXPECT_EQ(values_of(compared(1.23456, 2.0)), "1.235 <= 2");
  EXPECT_EQ(values_of(compared(1.00001234567, 1.00002)), "1.00001235 <= 1.00002");
  EXPECT_EQ(values_of(compared(1.2345678, 1.2345678)), "1.235 <= 1.235") << "they are equal";
  EXPECT_EQ(values_of(compared(0.1, std::nextafter(0.1, 1.0))), "0.10000000000000001 <= 0.10000000000000002");
}

TEST(GateValues, HaveUnits) {
  EXPECT_EQ(values_of(compared(1.5, 2.0, gates::kMilliseconds)), "1.5 ms <= 2 ms");
  EXPECT_EQ(values_of(compared(1.5e6, 2e6, gates::kBytes)), "1.50 MB <= 2.00 MB");
  EXPECT_EQ(values_of(compared(2e6, 2000001, gates::kBytes)), "2000000 B <= 2000001 B") << "as MB they look the same";
  EXPECT_EQ(values_of(compared({}, 2.0, gates::kMilliseconds)), "unknown <= 2 ms");
}

TEST(GateValues, SayWhyThereAreNone) {
  EXPECT_EQ(values_of(compared(1, 2, {}, GateOutcome::Unknown)), "unknown: of a reason");
  EXPECT_EQ(values_of(compared(1, 2, {}, GateOutcome::DoesNotApply)), "does not apply: of a reason");
  EXPECT_EQ(values_of(compared(3, 2, {}, GateOutcome::Fail)), "3, not <= 2");
  EXPECT_EQ(values_of(GateOutcome::Unknown, {}), "unknown: the report has no run");
}

TEST(GateValues, AreThoseThatDecided) {
  const Comparison passed = compared(1, 2, {}, GateOutcome::Pass, "O0");
  const Comparison failed = compared(3, 2, {}, GateOutcome::Fail, "O1");
  const Comparison aside = compared({}, 2, {}, GateOutcome::DoesNotApply, "O2");
  EXPECT_EQ(values_of(GateOutcome::Fail, {passed, failed, aside}), "O1: 3, not <= 2");
  EXPECT_EQ(values_of(GateOutcome::Pass, {passed, failed, aside}), "O0: 1 <= 2; O2: does not apply: of a reason");
  EXPECT_EQ(values_of(GateOutcome::DoesNotApply, {aside}), "O2: does not apply: of a reason");
}

TEST(GateValues, StateAnEqualValueOfSeveralOccasionsOnce) {
  const auto at = [](const char* level, double left) { return compared(left, 3, {}, GateOutcome::Pass, level); };
  EXPECT_EQ(values_of(GateOutcome::Pass, {at("O0", 0), at("O1", 1), at("O3", 0), at("O3", 0)}),
            "O0, O3: 0 <= 3; O1: 1 <= 3");
}

TEST(GatesInJson, HoldWhatWasCompared) {
  const analysis::JudgedGate gate{
      {"l <= r", GateOutcome::Fail, {compared(3, {}, gates::kMilliseconds, GateOutcome::Fail, "O1")}}, "rules:3"};
  EXPECT_EQ(gates_view({gate}, Format::Json).records.at(0).json.dump(),
            R"({"gate":"l <= r","where":"rules:3","passed":false,"outcome":"fail",)"
            R"("values":"O1: 3 ms, not <= unknown","comparisons":[{"level":"O1","left":"l","left_value":3.0,)"
            R"("operator":"<=","right":"r","right_value":null,"unit":"ms","outcome":"fail","reason":"of a reason"}]})");
}

TEST(GatesInMarkdown, HaveAHeadingWithTheOutcome) {
  const analysis::JudgedGate passing{{"a_b < `1`", GateOutcome::Pass, {compared(0, 1)}}, ""};
  const analysis::JudgedGate failing{{"a < 1", GateOutcome::Fail, {}}, ""};
  const auto heading = [](const std::vector<analysis::JudgedGate>& gates) {
    const std::string text = formatted(gates, "r.ampprof", Format::Markdown, {});
    return text.substr(0, text.find('\n'));
  };
  EXPECT_EQ(heading({passing}), "### r.ampprof: 1 gate passes");
  EXPECT_EQ(heading({passing, passing}), "### r.ampprof: 2 gates pass");
  EXPECT_EQ(heading({passing, failing}), "### r.ampprof: 1 of 2 gates failed");
  EXPECT_NE(formatted({passing}, "r", Format::Markdown, {}).find("`a_b < '1'`"), std::string::npos);
  EXPECT_NE(formatted({passing}, "r", Format::Table, {}).find("a_b < `1`"), std::string::npos) << "no markup elsewhere";
}

}  // namespace gates_test
}  // namespace ampprof::views
