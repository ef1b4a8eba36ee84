// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "reports/queries/ops.h"
#include "reports/queries/run_names.h"
#include "reports/queries/scales.h"
#include "reports/records/dtype.h"
#include "reports/records/exponents.h"
#include "reports/records/statistics.h"
#include "views/losses/views.h"

namespace ampprof::views {
namespace loss_scale_test {

queries::ScaleRow decided(std::int64_t run, std::int32_t loss, std::int64_t step, double before, double after) {
  queries::ScaleRow row;
  row.run = run;
  row.step = step;
  row.update = {.loss_id = loss, .scale_before = before, .scale_after = after, .overflow = after < before};
  return row;
}

std::vector<queries::RunName> two_runs() { return {{1, ""}, {2, ""}}; }

std::vector<std::string> shown(const View& view) {
  std::vector<std::string> rows;
  for (const Record& record : view.records) {
    std::string& text = rows.emplace_back(record.json.at("run").dump() + ':');
    for (std::size_t i = 1; i < record.cells.size(); ++i) text += ' ' + record.cells[i].text;
  }
  return rows;
}

TEST(LossScaleView, TellsWhatTheScalerDidAtEachScaleTheLargestFirst) {
  const View view = loss_scale_view(two_runs(), {},
                                    {decided(1, 0, 1, 8, 8), decided(1, 0, 2, 8, 4), decided(1, 0, 3, 4, 4),
                                     decided(1, 0, 5, 4, 8), decided(2, 1, 7, 2, 1)});
  EXPECT_EQ(shown(view), (std::vector<std::string>{"1: 0 8 - - - 2 1-2 1 in force at the end", "1: 0 4 - - - 2 3-5 0 ",
                                                   "2: 1 2 - - - 1 7-7 1 ", "2: 1 1 - - - - - - in force at the end"}));
  EXPECT_EQ(view.records.at(0).json.at("first_step"), 1);
  EXPECT_EQ(view.records.at(0).json.at("overflows"), 1);
  EXPECT_EQ(view.records.at(2).json.at("last_step"), 7);
  EXPECT_TRUE(view.records.at(3).json.at("first_step").is_null()) << "nothing was decided there";
  EXPECT_TRUE(view.records.at(3).json.at("last_step").is_null());
}

TEST(LossScaleView, HasATitleForEachColumn) {
  for (const Column& column : loss_scale_view(two_runs(), {}, {}).columns) EXPECT_NE(column.title, "") << column.about;
}

/// Returns a backward op with gradients at loss scale 1: 75 near 2^-10, 25 below FP16's range, near 2^-30.
queries::OpRow gradients() {
  queries::OpRow op;
  op.run = 1;
  op.phase = Phase::Backward;
  op.dtype_out = DType::Half;
  op.scale = 1.0;
  op.ranges = RangeStats{.count = 100, .amax = 0x1p-9, .reference_amax = 0x1p-9};
  op.exponents.emplace();
  for (std::size_t bin = 0; bin < ExponentHistogram::kBins; ++bin) {
    if (ExponentHistogram::exponent_of(bin) == -10) op.exponents->counts[bin] = 75;
    if (ExponentHistogram::exponent_of(bin) == -30) op.exponents->counts[bin] = 25;
  }
  return op;
}

TEST(LossScaleView, TellsHowGradientsFareWithoutAScaler) {
  const View view = loss_scale_view(two_runs(), {gradients()}, {});
  ASSERT_FALSE(view.records.empty());
  EXPECT_EQ(view.records.back().json.at("run"), 1) << "the other run has neither";
  for (const std::string& row : shown(view)) EXPECT_EQ(row.find("in force"), std::string::npos) << row;
  const auto unscaled =
      std::ranges::find_if(view.records, [](const Record& row) { return row.json.at("scale") == 1.0; });
  ASSERT_NE(unscaled, view.records.end());
  EXPECT_EQ(unscaled->json.at("flushed_share"), 0.25);
}

}  // namespace loss_scale_test
}  // namespace ampprof::views
