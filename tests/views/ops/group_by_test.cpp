// SPDX-License-Identifier: Apache-2.0
#include "views/ops/group_by.h"

#include <gtest/gtest.h>

#include <map>

#include "analysis/ops/group.h"
#include "analysis/ops/targets.h"
#include "reports/queries/casts.h"
#include "reports/queries/impacts.h"
#include "reports/queries/ops.h"
#include "reports/queries/report.h"
#include "reports/records/dtype.h"
#include "reports/records/statistics.h"
#include "reports/text/usage_error.h"
#include "tests/cli/layered_report.h"
#include "tests/cli/synthetic_report.h"
#include "tests/temporary_folder.h"
#include "tests/views/all_runs.h"
#include "views/gpu/views.h"
#include "views/losses/views.h"
#include "views/table/site_filter.h"

namespace ampprof::views {
namespace group_by_test {

analysis::Grouping by(analysis::GroupBy what, const Selection& selection = {}) { return {what, filter_of(selection)}; }

TEST(ClassOf, PutsAStarForEachNumber) {
  const std::map<std::string, std::string> classes{{"layers.3.attn.out", "layers.*.attn.out"},
                                                   {"0.conv1.12", "*.conv1.*"},
                                                   {"conv1", "conv1"},
                                                   {"a..7", "a..*"},
                                                   {"", ""}};
  for (const auto& [module, name] : classes) EXPECT_EQ(analysis::class_of(module), name);
}

TEST(GroupNames, AreOneOfThree) {
  EXPECT_EQ(group_by_from("class"), analysis::GroupBy::Class);
  EXPECT_THROW(group_by_from("clas"), text::UsageError);
}

class Groups : public testing::Test {
 protected:
  Groups()
      : layered_(written(cli::write_layered_report, "layers")),
        plain_(written(cli::write_synthetic_report, "digits")) {}

  queries::Report written(void (*write)(const std::filesystem::path&), const std::string& name) const {
    write(folder_ / (name + ".ampprof"));
    return queries::Report(folder_ / (name + ".ampprof"));
  }

  test_support::TemporaryFolder folder_;
  queries::Report layered_;
  queries::Report plain_;
};

TEST_F(Groups, OfAClassHoldWhatItsLayersHold) {
  const auto groups = analysis::grouped(queries::ops(layered_, 1), by(analysis::GroupBy::Class));
  ASSERT_EQ(groups.size(), 3u);
  const auto& [op, call_sites] = groups.at(1);
  EXPECT_EQ(op.call_site, "encoder.layers.*.attn.out/linear");
  EXPECT_EQ(op.module, "encoder.layers.*.attn.out");
  EXPECT_EQ(call_sites, 3);
  EXPECT_EQ(op.calls, 6);
  EXPECT_EQ(op.cpu_us, 6000.0);
  EXPECT_EQ(op.cast_bytes, 6 * 4096);
  EXPECT_EQ(op.local->sum_sq_error, 2 * (0x1p-20 + 0x1p-18 + 0x1p-16));
  EXPECT_EQ(op.ranges->count, 600);
  EXPECT_EQ(op.signature, "") << "the last layer has other shapes";
  EXPECT_EQ(op.source, "encoder.cpp:40");
  EXPECT_EQ(op.dtype_out, DType::Half);
  EXPECT_EQ(op.loss_impact, 6 * 0x1p-10);
  EXPECT_EQ(op.loss_impact_rms, std::nullopt) << "of a sum it is not known";
  EXPECT_EQ(groups.at(2).row.call_site, "backward encoder.layers.*.attn.out/mm");
  EXPECT_EQ(groups.at(2).row.scale, 65536.0);
}

TEST_F(Groups, NameWhatTheyHaveInCommon) {
  const auto modules =
      analysis::grouped(queries::ops(layered_, 1), by(analysis::GroupBy::Module, {.phase = "forward"}));
  ASSERT_EQ(modules.size(), 6u);
  EXPECT_EQ(modules.at(0).row.call_site, "encoder.layers.0.attn.query_key_value/linear");
  const auto ops = analysis::grouped(queries::ops(layered_, 1), by(analysis::GroupBy::Op));
  ASSERT_EQ(ops.size(), 2u);
  EXPECT_EQ(ops.at(0).row.call_site, "*/linear");
  EXPECT_EQ(ops.at(0).row.module, "*");
  EXPECT_EQ(ops.at(1).row.call_site, "backward */mm");
  queries::OpRow one;
  one.op = "add";
  queries::OpRow other = one;
  other.op = "mul";
  EXPECT_EQ(analysis::grouped({one, other}, by(analysis::GroupBy::Module)).at(0).row.call_site, "(no module)/*");
}

// No grouping loses a call or a call site, or mixes runs or phases.
TEST_F(Groups, KeepTheSums) {
  for (const queries::Report* report : {&layered_, &plain_}) {
    using Sums = std::map<std::pair<std::int64_t, Phase>, std::pair<std::int64_t, std::int64_t>>;
    const auto sums_of = [&](const std::optional<analysis::Grouping>& grouping) {
      Sums sums;
      for (const auto& [op, call_sites] : analysis::grouped(queries::ops(*report), grouping)) {
        auto& [calls, sites] = sums[{op.run, op.phase}];
        calls += op.calls;
        sites += call_sites;
      }
      return sums;
    };
    for (const analysis::GroupBy what : {analysis::GroupBy::Module, analysis::GroupBy::Op, analysis::GroupBy::Class}) {
      EXPECT_EQ(sums_of(by(what)), sums_of(std::nullopt));
    }
  }
}

TEST_F(Groups, HoldOnlyWhatTheFilterLetsThrough) {
  const auto groups = analysis::grouped(queries::ops(layered_, 1),
                                        by(analysis::GroupBy::Op, {.op = "linear", .module = "layers.[01].attn.out"}));
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups.at(0).call_sites, 2);
  EXPECT_EQ(groups.at(0).row.module, "*");
}

TEST_F(Groups, ExpectNonFiniteValuesOnlyWhereAllDo) {
  queries::OpRow expected;
  expected.ranges = RangeStats{.count = 1, .nonfinite = 1};
  expected.nonfinite_expected = true;
  queries::OpRow failed = expected;
  failed.nonfinite_expected = false;
  queries::OpRow finite = failed;
  finite.ranges->nonfinite = 0;
  const auto is_expected = [](const std::vector<queries::OpRow>& ops) {
    return analysis::grouped(ops, by(analysis::GroupBy::Op)).at(0).row.nonfinite_expected;
  };
  EXPECT_TRUE(is_expected({finite, expected}));
  EXPECT_FALSE(is_expected({expected, failed, finite}));
  EXPECT_FALSE(is_expected({finite, finite}));
}

TEST_F(Groups, OfImpactsAddUpAndKeepSourcesApart) {
  const View view = impact_view(queries::impacts(layered_, 1), by(analysis::GroupBy::Class));
  ASSERT_EQ(view.records.size(), 4u);
  std::map<std::string, Json> rows;
  for (const Record& record : view.records) rows[record.json.at("name")] = record.json;
  EXPECT_EQ(rows.at("encoder.layers.*.attn.out/linear").at("loss_impact"), 6 * 0x1p-10);
  EXPECT_EQ(rows.at("encoder.layers.*.attn.out/linear").at("loss_impact_rms"), 6 * 0x1p-10) << "of their sum";
  EXPECT_EQ(rows.at("encoder.layers.*.attn.out.weight").at("loss_impact"), -3 * 0x1p-10);
  EXPECT_EQ(rows.at("encoder.layers.*.attn.out.weight").at("source"), "parameter");
  EXPECT_EQ(rows.at("encoder.layers.*.attn.out.weight").at("module"), "");
  EXPECT_EQ(rows.at("all roundings").at("loss_impact"), 9 * 0x1p-10);
}

TEST_F(Groups, OfSomeImpactsHaveNoSum) {
  const View view = impact_view(queries::impacts(layered_, 1), by(analysis::GroupBy::Op, {.op = "linear"}));
  ASSERT_EQ(view.records.size(), 1u) << "the sum would be that of all";
  EXPECT_EQ(view.records.at(0).json.at("name"), "*/linear");
}

TEST_F(Groups, OfTensorCoresAreOfTheSameSizes) {
  AllRuns opened(folder_ / "layers.ampprof");
  const View view = tensor_cores_view(queries::ops(layered_, 1), opened.source().targets,
                                      by(analysis::GroupBy::Class, {.module = "attn.out"}));
  std::map<std::string, std::int64_t> sites;
  for (const Record& record : view.records)
    sites[record.json.at("input_shapes")] += record.json.at("call_sites").get<std::int64_t>();
  EXPECT_EQ(sites.at("f32[512,256] f32[256,256] f32[256]") % 2, 0);
  EXPECT_EQ(view.records.at(0).json.at("call_sites"), 1) << "the size that misses the rule comes first";
}

TEST_F(Groups, OfCastsKeepTypesApart) {
  auto casts = queries::casts(layered_, 1);
  casts.at(0).total.from = DType::Double;
  const auto groups = analysis::grouped(casts, by(analysis::GroupBy::Class));
  ASSERT_EQ(groups.size(), 3u);
  EXPECT_EQ(groups.at(0).call_sites, 1);
  EXPECT_EQ(groups.at(1).row.total.bytes, 6 * 4096);
}

}  // namespace group_by_test
}  // namespace ampprof::views
