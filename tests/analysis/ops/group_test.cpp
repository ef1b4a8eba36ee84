// SPDX-License-Identifier: Apache-2.0
#include "analysis/ops/group.h"

#include <gtest/gtest.h>

#include "reports/queries/gaps.h"
#include "reports/queries/gpu_activities.h"
#include "reports/queries/gpu_activity_use.h"
#include "reports/queries/impacts.h"
#include "reports/queries/ops.h"

namespace ampprof::analysis {
namespace group_test {

queries::GpuActivityUse use_of(const char* name, GpuActivityKind kind, double gpu_us) {
  return {.name = name, .kind = kind, .count = 2, .gpu_us = gpu_us, .bytes = 8};
}

std::vector<double> times_of(const std::vector<queries::GpuActivityUse>& uses) {
  std::vector<double> times;
  for (const queries::GpuActivityUse& use : uses) times.push_back(use.gpu_us);
  return times;
}

TEST(GroupedOps, AddUpWhatTheyLaunchedByNameAndKind) {
  queries::OpRow first;
  first.op = "mm";
  first.gpu_us = 3;
  first.activities = {use_of("gemm", GpuActivityKind::Kernel, 3)};
  queries::OpRow second = first;
  second.gpu_us = 12;
  second.activities = {use_of("gemm", GpuActivityKind::Memcpy, 4), use_of("gemm", GpuActivityKind::Kernel, 5),
                       use_of("copy", GpuActivityKind::Kernel, 3)};
  queries::OpRow unseen;
  unseen.op = "mm";
  const auto groups = grouped({unseen, first, second}, Grouping{GroupBy::Op, {}});
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].row.gpu_us, 15.0);
  EXPECT_EQ(times_of(groups[0].row.activities), (std::vector<double>{8, 4, 3}));
  EXPECT_EQ(groups[0].row.activities[0].count, 4);
  EXPECT_EQ(groups[0].row.activities[0].bytes, 16);
  EXPECT_EQ(grouped({unseen, unseen}, Grouping{GroupBy::Op, {}})[0].row.gpu_us, std::nullopt);
}

TEST(GroupedOps, KeepWhatTheyHaveInCommon) {
  queries::OpRow first;
  first.op = "mm";
  first.module = "a";
  first.source = "a.cpp:1";
  first.signature = "f16[1]";
  first.dtype_in = DType::Float;
  first.dtype_out = DType::Half;
  first.scale = 2;
  const auto merged = [&](const queries::OpRow& second) {
    return grouped({first, second}, Grouping{GroupBy::Op, {}}).at(0).row;
  };
  EXPECT_EQ(merged(first).module, "a");
  EXPECT_EQ(merged(first).source, "a.cpp:1");
  EXPECT_EQ(merged(first).scale, 2.0);
  queries::OpRow other = first;
  other.module = "b";
  other.source = "b.cpp:1";
  other.signature = "f16[2]";
  other.dtype_in = DType::Half;
  other.dtype_out = DType::Float;
  other.scale = 4;
  EXPECT_EQ(merged(other).module, "*");
  EXPECT_EQ(merged(other).source, "");
  EXPECT_EQ(merged(other).signature, "");
  EXPECT_EQ(merged(other).dtype_in, DType::Unknown);
  EXPECT_EQ(merged(other).dtype_out, DType::Unknown);
  EXPECT_EQ(merged(other).scale, std::nullopt);
}

TEST(GroupedOps, HaveTheRootMeanSquareImpactOfAnOnlyOne) {
  queries::OpRow without;
  queries::OpRow with;
  with.loss_impact = 0.5;
  with.loss_impact_rms = 0.75;
  const auto merged = [](const std::vector<queries::OpRow>& ops) {
    return grouped(ops, Grouping{GroupBy::Op, {}}).at(0).row;
  };
  EXPECT_EQ(merged({without, with, without}).loss_impact, 0.5);
  EXPECT_EQ(merged({without, with, without}).loss_impact_rms, 0.75);
  EXPECT_EQ(merged({with, with}).loss_impact, 1.0);
  EXPECT_EQ(merged({with, with}).loss_impact_rms, std::nullopt);
  EXPECT_EQ(merged({without, without}).loss_impact, std::nullopt);
}

TEST(GroupedOps, AddUpTheSquaresOfTheirSizes) {
  queries::OpRow op;
  op.loss_impact = 0.5;
  op.loss_impact_size = 3.0;
  op.impact_by_step = {{.step = 1, .change = 0.5, .square = 9.0}, {.step = 2, .change = 0.5, .square = 9.0}};
  queries::OpRow other = op;
  other.loss_impact_size = 4.0;
  other.loss_impact_is_signed = true;
  other.impact_by_step = {{.step = 2, .change = -0.25, .square = 16.0}};
  const queries::OpRow sum = grouped({op, other}, Grouping{GroupBy::Op, {}}).at(0).row;
  EXPECT_EQ(sum.loss_impact_size, 5.0);
  EXPECT_TRUE(sum.loss_impact_is_signed);
  EXPECT_EQ(sum.impact_by_step, (std::vector<StepImpact>{{.step = 2, .change = 0.25, .square = 25.0}}));
}

TEST(GroupedImpacts, AreSumsInEachStep) {
  queries::ImpactRow row;
  row.impact = 1.0;
  row.impact_rms = 1.0;
  row.is_signed = false;
  row.squares.weight = 9.0;
  row.by_step = {{.step = 1, .change = 3.0, .square = 9.0}};
  queries::ImpactRow other = row;
  other.squares = {.weight = 7.0, .output = 9.0};
  other.by_step = {{.step = 1, .change = -1.0, .square = 16.0}};
  add_impact(row, other);
  EXPECT_EQ(row.estimate(), 5.0);
  EXPECT_EQ(row.size(), 5.0);
  EXPECT_EQ(row.impact_rms, 2.0) << "of the sum, not of the parts";
  EXPECT_EQ(row.self_check, 4.0 / 25.0);
}

queries::GapRow gap_of(double idle_us, double longest_us, std::int64_t step, std::optional<double> unlaunched_us) {
  queries::GapRow row;
  row.op = "mm";
  row.gaps = 3;
  row.idle_us = idle_us;
  row.longest_us = longest_us;
  row.longest_step = step;
  row.unlaunched_us = unlaunched_us;
  return row;
}

TEST(GroupedGaps, AddUpAndNameTheLongest) {
  const auto merged = [](const std::vector<queries::GapRow>& gaps) {
    return grouped(gaps, Grouping{GroupBy::Op, {}}).at(0).row;
  };
  const queries::GapRow all = merged({gap_of(10, 4, 1, 2.0), gap_of(20, 7, 2, 5.0), gap_of(5, 3, 3, 1.0)});
  EXPECT_EQ(all.gaps, 9);
  EXPECT_EQ(all.idle_us, 35);
  EXPECT_EQ(all.longest_us, 7);
  EXPECT_EQ(all.longest_step, 2);
  EXPECT_EQ(all.unlaunched_us, 8.0);
  EXPECT_EQ(merged({gap_of(1, 4, 1, 2.0), gap_of(1, 4, 2, {})}).unlaunched_us, std::nullopt) << "not known of all";
  EXPECT_EQ(merged({gap_of(1, 4, 1, {}), gap_of(1, 4, 2, 2.0)}).unlaunched_us, std::nullopt);
  EXPECT_EQ(merged({gap_of(1, 4, 1, {}), gap_of(1, 4, 2, {})}).longest_step, 1) << "the first of the longest";
}

queries::OpRow op_at(std::int64_t run, Phase phase, const char* module, const char* op) {
  queries::OpRow row;
  row.run = run;
  row.phase = phase;
  row.module = module;
  row.op = op;
  return row;
}

TEST(PlacesInGroups, AreThoseOfGrouped) {
  const std::vector ops{op_at(1, Phase::Forward, "layers.0", "mm"),  op_at(1, Phase::Forward, "layers.1", "mm"),
                        op_at(1, Phase::Forward, "layers.0", "add"), op_at(1, Phase::Backward, "layers.0", "mm"),
                        op_at(2, Phase::Forward, "layers.0", "mm"),  op_at(1, Phase::Forward, "layers.1", "add")};
  using Places = std::vector<std::size_t>;
  EXPECT_EQ(group_indices(ops, GroupBy::Class), (Places{0, 0, 1, 2, 3, 1}));
  EXPECT_EQ(group_indices(ops, GroupBy::Module), (Places{0, 1, 0, 2, 3, 1}));
  EXPECT_EQ(group_indices(ops, GroupBy::Op), (Places{0, 0, 1, 2, 3, 1}));
  for (const GroupBy by : {GroupBy::Class, GroupBy::Module, GroupBy::Op})
    EXPECT_EQ(grouped(ops, Grouping{by, {}}).size(), 4u);
}

queries::GpuActivityRow activity(std::optional<Phase> phase, const char* module, const char* kernel, double gpu_us) {
  queries::GpuActivityRow row;
  row.phase = phase;
  row.module = module;
  row.op = "mm";
  row.call_site = std::string(module) + "/mm";
  row.use = use_of(kernel, GpuActivityKind::Kernel, gpu_us);
  return row;
}

TEST(GroupedActivities, AreKernelsOfOneNameAndPhaseThatNameTheirTopCallSite) {
  const std::vector rows{activity(Phase::Forward, "a", "gemm", 1), activity(Phase::Forward, "b", "gemm", 2),
                         activity(Phase::Backward, "a", "gemm", 4), activity({}, "", "gemm", 8)};
  const auto groups = grouped(rows, std::nullopt, SiteFilter());
  ASSERT_EQ(groups.size(), 3u);
  EXPECT_EQ(groups[2].row.call_site, "b/mm");
  EXPECT_EQ(groups[2].row.use.gpu_us, 3);
  EXPECT_EQ(groups[2].call_sites, 2);
  EXPECT_EQ(grouped(rows, std::nullopt, {.phase = Phase::Forward}).size(), 1u);
  EXPECT_EQ(grouped(rows, Grouping{GroupBy::Module, {}}, {.module = Pattern("a")}).size(), 2u);
  EXPECT_EQ(grouped(rows, Grouping{GroupBy::Module, {}}, SiteFilter()).size(), 4u);
  const std::vector layers{activity(Phase::Forward, "l.0", "gemm", 1), activity(Phase::Forward, "l.1", "gemm", 2)};
  EXPECT_EQ(grouped(layers, Grouping{GroupBy::Class, {}}, SiteFilter()).size(), 1u);
  EXPECT_EQ(grouped(layers, Grouping{GroupBy::Module, {}}, SiteFilter()).size(), 2u);
}

queries::ImpactRow impact_of(ImpactSource source, const char* name, const char* module, const char* op) {
  queries::ImpactRow row;
  row.source = source;
  row.name = name;
  row.module = module;
  row.op = op;
  row.impact = 1.0;
  return row;
}

TEST(GroupedImpacts, AreNamedByPhaseModuleAndOpOrByParameter) {
  const std::vector rows{impact_of(ImpactSource::OpCall, "l.0/mm", "l.0", "mm"),
                         impact_of(ImpactSource::OpCall, "backward l.0/mm", "l.0", "mm"),
                         impact_of(ImpactSource::OpCall, "backward l.1/mm", "l.1", "mm"),
                         impact_of(ImpactSource::Parameter, "l.0.weight", "", ""),
                         impact_of(ImpactSource::Parameter, "weight", "", "")};
  const auto names_by = [&](GroupBy by) {
    std::vector<std::string> names;
    for (const auto& group : grouped(rows, Grouping{by, {}})) names.push_back(group.row.name);
    return names;
  };
  EXPECT_EQ(names_by(GroupBy::Class), (std::vector<std::string>{"l.*/mm", "backward l.*/mm", "l.*.weight", "weight"}));
  EXPECT_EQ(names_by(GroupBy::Op), (std::vector<std::string>{"l.0/mm", "backward */mm", "*.weight"}));
}

TEST(AddedImpacts, KeepTheErrorOfIndependentErrorsAndTheFirstReason) {
  queries::ImpactRow first;
  first.impact = 1.0;
  first.impact_rms = 2.0;
  first.standard_error = 3.0;
  first.steps = 5;
  first.calls = 6;
  queries::ImpactRow second = first;
  second.standard_error = 4.0;
  second.steps = 4;
  second.calls = 7;
  second.gaps = 2;
  second.gap = ImpactGap::ScaleUnknown;
  queries::ImpactRow third = second;
  third.standard_error.reset();
  third.gap = ImpactGap::NoMaster;
  queries::ImpactRow sum;
  add_impact(sum, first);
  EXPECT_EQ(sum.impact_rms, 2.0) << "of one impact it is known";
  EXPECT_EQ(sum.standard_error, 3.0);
  add_impact(sum, second);
  EXPECT_EQ(sum.impact, 2.0);
  EXPECT_EQ(sum.impact_rms, std::nullopt);
  EXPECT_EQ(sum.standard_error, 5.0);
  EXPECT_EQ(sum.steps, 5);
  EXPECT_EQ(sum.calls, 7);
  add_impact(sum, third);
  EXPECT_EQ(sum.standard_error, std::nullopt);
  EXPECT_EQ(sum.gaps, 4);
  EXPECT_EQ(sum.gap, ImpactGap::ScaleUnknown);
  add_impact(sum, {});
  EXPECT_EQ(sum.impact, 3.0);
}

}  // namespace group_test
}  // namespace ampprof::analysis
