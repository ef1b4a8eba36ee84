// SPDX-License-Identifier: Apache-2.0
#include "reports/gates/metrics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "reports/gates/glob.h"
#include "reports/gates/parser.h"

namespace ampprof::gates {
namespace metrics_test {

TEST(Metrics, HaveNamesOfTheirOwnThatRulesCanUse) {
  std::set<std::string_view> names;
  for (const Metric& metric : all_metrics()) {
    EXPECT_TRUE(names.insert(metric.name).second) << metric.name;
    EXPECT_FALSE(metric.meaning.empty()) << metric.name;
    EXPECT_NO_THROW(parse_rule(std::string(metric.name) + " < 1")) << metric.name;
    EXPECT_NO_THROW(parse_rule(std::string(metric.name) + "(O1) < 1")) << metric.name;
  }
}

TEST(Metrics, StandInTheHelpOnceEach) {
  const std::string help = metric_help();
  for (const Metric& metric : all_metrics()) {
    const std::string line = "\n  " + std::string(metric.name) + " ";
    EXPECT_NE(("\n" + help).find(line), std::string::npos) << metric.name;
  }
  for (std::size_t begin = 0; begin < help.size(); begin = help.find('\n', begin) + 1) {
    EXPECT_LE(help.find('\n', begin) - begin, 80u) << help.substr(begin, help.find('\n', begin) - begin);
  }
}

TEST(Metrics, StandInTheHelpBehindTheirArguments) {
  const std::string help = metric_help();
  EXPECT_TRUE(
      help.starts_with("(level)\n  ms_per_step            median time of a step, with ampprof's overhead [ms]\n"))
      << help;
  EXPECT_NE(help.find("\n(level, sites)\n  findings "), std::string::npos);
  EXPECT_NE(help.find("\n(level, phase, sites)\n  local_rel_l2 "), std::string::npos);
  EXPECT_NE(help.find("largest value\n"), std::string::npos) << "without a unit";
}

TEST(Reduced, IsWhatItsNameSays) {
  EXPECT_EQ(reduced(Reduce::Largest, {1, 3, 2}), 3);
  EXPECT_EQ(reduced(Reduce::Smallest, {1, 3, 2}), 1);
  EXPECT_EQ(reduced(Reduce::Sum, {1, 3, 2}), 6);
  EXPECT_EQ(reduced(Reduce::Mean, {1, 3, 2}), 2);
  EXPECT_EQ(reduced(Reduce::Median, {1, 8, 2}), 2);
  EXPECT_EQ(reduced(Reduce::Median, {8, 1, 4, 2}), 3);
  for (const Reduce reduce : {Reduce::Largest, Reduce::Smallest, Reduce::Sum, Reduce::Mean, Reduce::Median}) {
    EXPECT_TRUE(std::isnan(reduced(reduce, {1, std::numeric_limits<double>::quiet_NaN(), 2})));
  }
}

TEST(Glob, TakesStarsAndQuestionMarks) {
  EXPECT_TRUE(fits("conv*", "conv2d"));
  EXPECT_TRUE(fits("conv*", "conv"));
  EXPECT_FALSE(fits("conv*", "a/conv2d"));
  EXPECT_TRUE(fits("*conv*", "a/conv2d"));
  EXPECT_TRUE(fits("a?c", "abc"));
  EXPECT_FALSE(fits("a?c", "ac"));
  EXPECT_TRUE(fits("*a*b*c", "xxaxxbxxbxxc"));
  EXPECT_FALSE(fits("*a*b*c", "xxaxxbxxbxxcx"));
  EXPECT_TRUE(fits("", ""));
  EXPECT_FALSE(fits("", "a"));
  EXPECT_TRUE(fits("***", ""));
  EXPECT_FALSE(fits("relu_", "relu2")) << "only * and ? are special";
  EXPECT_FALSE(fits(std::string_view("a*").substr(0, 1), "ab")) << "what stands behind the pattern is none of it";
  EXPECT_TRUE(fits(std::string_view("a*").substr(0, 1), "a"));
}

TEST(Glob, EndsSoonOnWhatTakesRegularExpressionsForever) {
  const std::string text(2000, 'a');
  std::string pattern;
  for (int i = 0; i < 300; ++i) pattern += "a*";
  EXPECT_FALSE(fits(pattern + 'b', text));
}

TEST(Findings, AreCountedByKind) {
  RunEvidence evidence;
  evidence.findings = {"stale_cast", "lost_updates", "lost_sum"};
  const auto count = [&](const char* metric, std::string_view pattern) {
    return std::get<NamedValue>(metric_named(metric)->value)(evidence, pattern);
  };
  EXPECT_EQ(count("findings", "*"), 3);
  EXPECT_EQ(count("finding", "lost_*"), 2);
  EXPECT_EQ(count("finding", "flushed_cast"), 0);
  evidence.run.reference = "off";
  EXPECT_EQ(count("finding", "lost_sum"), 1);
  EXPECT_EQ(count("finding", "flushed_cast"), std::nullopt) << "values were not read";
}

TEST(NonfiniteNumbers, AreUnknownIfNoValueWasRead) {
  RunEvidence evidence;
  for (const char* metric : {"nonfinite_ops", "nonfinite_events"}) {
    const auto value = std::get<RunValue>(metric_named(metric)->value);
    evidence.run = {};
    EXPECT_EQ(value(evidence), 0) << metric;
    evidence.run.reference = "off";
    EXPECT_EQ(value(evidence), std::nullopt) << metric;
  }
  evidence.run.nonfinite_events = 2;  // a loss scaler saw them
  EXPECT_EQ(std::get<RunValue>(metric_named("nonfinite_events")->value)(evidence), 2);
}

}  // namespace metrics_test
}  // namespace ampprof::gates
