// SPDX-License-Identifier: Apache-2.0
#include "analysis/ranks/collectives.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "reports/records/dtype.h"
#include "views/ranks/views.h"
#include "views/table/format.h"

namespace ampprof::views {
namespace collectives_test {

/// Returns an all-reduce of a quarter of a gigabyte on four ranks.
analysis::CollectiveSite all_reduce() {
  analysis::CollectiveSite site;
  site.row.run = 1;
  site.row.level = "O1";
  site.row.call_site = "backward c10d::allreduce_";
  site.row.phase = Phase::Backward;
  site.row.op = "c10d::allreduce_";
  site.row.source = "/home/me/train.py:31";
  site.row.call.group = "0";
  site.row.call.group_size = 4;
  site.row.call.reduction = "sum";
  site.row.call.dtype = DType::Half;
  site.row.call.bytes = 250'000'000;
  site.ranks = 4;
  site.calls = 48;
  site.total_ms = 2880;
  site.median_ms = 60;
  site.p99_ms = 90;
  site.wait_ms = 10;
  site.transfer_ms = 50;
  site.roundings = 12;
  site.rounding = 2.1e-4;
  site.rounding_error = 6e-6;
  return site;
}

std::string cell_of(const View& view, std::string_view key) {
  const auto column = std::ranges::find(view.columns, key, &Column::key);
  return view.records.at(0).cells.at(static_cast<std::size_t>(column - view.columns.begin())).text;
}

TEST(CollectivesView, OfAReportWithoutAnySaysSo) {
  const View view = collectives_view({});
  EXPECT_EQ(formatted(view, Format::Table, {.width = 80}), in_place_of_rows(view) + '\n');
  EXPECT_EQ(formatted(view, Format::Json, {}), "[]\n");
}

TEST(CollectivesView, HasSizesTimesAndBandwidths) {
  const View view = collectives_view({all_reduce()});
  const Json& json = view.records.at(0).json;
  EXPECT_EQ(json.at("call_site"), "backward c10d::allreduce_");
  EXPECT_EQ(json.at("group"), "0");
  EXPECT_EQ(json.at("group_size"), 4);
  EXPECT_EQ(json.at("recorded_ranks"), 4);
  EXPECT_EQ(json.at("reduction"), "sum");
  EXPECT_EQ(json.at("dtype"), "f16");
  EXPECT_EQ(json.at("calls"), 48);
  EXPECT_EQ(json.at("bytes"), 250'000'000);
  EXPECT_EQ(json.at("median_ms"), 60.0);
  EXPECT_EQ(json.at("wait_ms"), 10.0);
  EXPECT_EQ(json.at("transfer_ms"), 50.0);
  EXPECT_DOUBLE_EQ(json.at("algbw"), 5e9);
  EXPECT_DOUBLE_EQ(json.at("busbw"), 7.5e9);
  EXPECT_EQ(json.at("bandwidth_is_bound"), false);
  EXPECT_EQ(json.at("rounding_rel_l2"), 2.1e-4);
  EXPECT_EQ(json.at("rounding_standard_error"), 6e-6);
  EXPECT_EQ(json.at("rounding_calls"), 12);
  EXPECT_EQ(cell_of(view, "rounding_rel_l2"), "≈ 2.1e-04");
  EXPECT_EQ(cell_of(view, "busbw"), "7.50 GB/s");
  EXPECT_EQ(cell_of(view, "wait_ms"), "10.0 ms");
}

TEST(CollectivesView, MarksBandwidthsThatHoldWaits) {
  analysis::CollectiveSite site = all_reduce();
  site.wait_ms.reset();
  site.transfer_ms.reset();
  const View view = collectives_view({site});
  EXPECT_EQ(view.records.at(0).json.at("bandwidth_is_bound"), true);
  EXPECT_TRUE(view.records.at(0).json.at("wait_ms").is_null());
  EXPECT_EQ(cell_of(view, "algbw"), "≥ 4.17 GB/s");
}

TEST(CollectivesView, LeavesOutUnknownFigures) {
  analysis::CollectiveSite site;
  site.row.op = "_c10d_functional::all_reduce";
  const View view = collectives_view({site});
  for (const char* key : {"level", "group", "group_size", "reduction", "dtype", "total_ms", "median_ms", "p99_ms",
                          "wait_ms", "transfer_ms", "algbw", "busbw", "bandwidth_is_bound", "source", "rounding_rel_l2",
                          "rounding_standard_error"}) {
    EXPECT_TRUE(view.records.at(0).json.at(key).is_null()) << key;
  }
  EXPECT_EQ(cell_of(view, "busbw"), "-");
}

TEST(CollectivesView, TellsLaunchesApartWhereThereAreSeveral) {
  const auto has_launch = [](const View& view) {
    return std::ranges::find(view.columns, "launch", &Column::key) != view.columns.end();
  };
  analysis::CollectiveSite other = all_reduce();
  other.launch = 2;
  EXPECT_FALSE(has_launch(collectives_view({all_reduce()})));
  EXPECT_TRUE(has_launch(collectives_view({all_reduce(), other})));
}

}  // namespace collectives_test
}  // namespace ampprof::views
