// SPDX-License-Identifier: Apache-2.0
#include "analysis/gpu/compiled_times.h"

#include <gtest/gtest.h>

#include "reports/queries/ops.h"

namespace ampprof::analysis {
namespace compiled_times_test {

using queries::OpRow;

OpRow op(const std::string& module, const std::string& name, int ordinal = 1, const std::string& source = "",
         Phase phase = Phase::Forward) {
  OpRow row;
  row.phase = phase;
  row.module = module;
  row.op = name;
  row.ordinal = ordinal;
  row.source = source;
  row.call_site = std::to_string(static_cast<int>(phase)) + ' ' + module + '/' + name + '#' + std::to_string(ordinal);
  return row;
}

OpRow region(const std::string& module, const std::string& id, Phase phase = Phase::Forward) {
  return op(module, "torch::compiled_region." + id, 1, "", phase);
}

std::vector<std::string> covering(const CompiledTimes& times, const OpRow& op) {
  std::vector<std::string> names;
  for (const OpRow* region : times.covering(op)) names.push_back(region->op.substr(region->op.rfind('.') + 1));
  return names;
}

using Names = std::vector<std::string>;

TEST(CompiledTimes, TheRegionOfTheInnermostModuleCoversACallSite) {
  const std::vector<OpRow> eager{op("", "add"), op("blocks.0.fc", "linear"), op("blocks.1.fc", "linear"),
                                 op("head", "linear")};
  const std::vector<OpRow> compiled{region("blocks.0", "0/0"), region("", "1/0")};
  const CompiledTimes times(eager, compiled);
  EXPECT_EQ(covering(times, eager[0]), Names{"1/0"});
  EXPECT_EQ(covering(times, eager[1]), Names{"0/0"});
  EXPECT_EQ(covering(times, eager[2]), Names{"1/0"});
  EXPECT_EQ(covering(times, eager[3]), Names{"1/0"});
}

TEST(CompiledTimes, TheTimeOfARegionIsShownOnceAtItsFirstOp) {
  const std::vector<OpRow> eager{op("net", "relu"), op("net", "linear"), op("other", "linear")};
  const std::vector<OpRow> compiled{region("net", "0/0")};
  const CompiledTimes times(eager, compiled);
  EXPECT_TRUE(times.is_first_covered(eager[0]));
  EXPECT_FALSE(times.is_first_covered(eager[1]));
  EXPECT_FALSE(times.is_first_covered(eager[2]));
  EXPECT_EQ(covering(times, eager[2]), Names());
}

TEST(CompiledTimes, RegionsOfOneModuleCoverTogether) {
  const std::vector<OpRow> eager{op("net", "relu"), op("net", "linear")};
  const std::vector<OpRow> compiled{region("net", "0/0"), region("net", "1/0")};
  const CompiledTimes times(eager, compiled);
  EXPECT_EQ(covering(times, eager[1]), (Names{"0/0", "1/0"}));
}

TEST(CompiledTimes, ForwardAndBackwardHaveRegionsOfTheirOwn) {
  const std::vector<OpRow> eager{op("net", "linear"), op("net", "mm", 1, "", Phase::Backward),
                                 op("net", "mul", 1, "", Phase::Optimizer)};
  const std::vector<OpRow> compiled{region("net", "0/0"), region("net", "0/1", Phase::Backward)};
  const CompiledTimes times(eager, compiled);
  EXPECT_EQ(covering(times, eager[0]), Names{"0/0"});
  EXPECT_EQ(covering(times, eager[1]), Names{"0/1"});
  EXPECT_TRUE(times.is_first_covered(eager[1]));
  EXPECT_EQ(covering(times, eager[2]), Names());
}

TEST(CompiledTimes, CallsInBothRunsWereNotCompiled) {
  const std::vector<OpRow> eager{op("", "linear", 1, "net.py:7"), op("", "linear", 2, "loss.py:9"),
                                 op("", "linear", 3, "loss.py:9")};
  const std::vector<OpRow> compiled{region("", "0/0"), op("", "linear", 1, "loss.py:9")};
  const CompiledTimes times(eager, compiled);
  EXPECT_EQ(times.uncompiled(eager[0]), nullptr);
  EXPECT_EQ(times.uncompiled(eager[1]), &compiled[1]) << "the line tells, not the ordinal";
  EXPECT_EQ(covering(times, eager[1]), Names());
  EXPECT_FALSE(times.is_first_covered(eager[1]));
  EXPECT_EQ(covering(times, eager[2]), Names{"0/0"}) << "it has one at this line, and here are two";
}

}  // namespace compiled_times_test
}  // namespace ampprof::analysis
