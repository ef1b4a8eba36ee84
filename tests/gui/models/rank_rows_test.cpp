// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/rank_rows.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <optional>

#include "analysis/ranks/ranks.h"
#include "gui/models/view_filter.h"
#include "gui/models/view_model.h"
#include "reports/queries/ranks.h"
#include "tests/gui/ranks_report.h"
#include "views/ranks/views.h"

namespace ampprof::gui {
namespace rank_rows_test {

/// Returns ranks 0, 1, 2 … in runs 1, 2, 3 …, eight per host, each with longer steps than the one before.
analysis::RankedLaunch launchOf(std::int64_t ranks) {
  analysis::RankedLaunch launch;
  for (std::int64_t number = 0; number < ranks; ++number) {
    analysis::Rank& rank = launch.ranks.emplace_back();
    rank.run.run = number + 1;
    rank.run.level = "O1";
    rank.run.rank = number;
    rank.run.world_size = ranks;
    rank.run.host = "node" + std::to_string(number / 8);
    rank.run.complete = true;
    rank.run.steps = 12;
    rank.run.ms_per_step = static_cast<double>(number + 1);
  }
  return launch;
}

queries::RankEvent eventIn(std::int64_t step, const std::string& op) {
  queries::RankEvent event;
  event.step = step;
  event.first_place = {2, 0};
  event.first_phase = Phase::Backward;
  event.first_op = op;
  return event;
}

/// Returns a view of ranks 0 to 3: an overflow began on rank 1 in step 7, the loss scale of rank 2 differs from step 5
/// on, and rank 3 failed.
views::View viewOfFour() {
  analysis::RankedLaunch launch = launchOf(4);
  launch.ranks[1].record.events = {eventIn(7, "backward conv1/mm"), eventIn(9, "backward conv2/mm")};
  launch.ranks[1].overflows_begun = 2;
  launch.ranks[2].record.events = {eventIn(7, "backward c10d::allreduce_")};
  launch.ranks[2].divergence = {analysis::Replicated::LossScale, 5, 4, 8};
  launch.ranks[3].run.complete = false;
  return views::ranks_view({launch});
}

std::vector<std::int64_t> ranksLetThrough(const RankFilter& filter, const views::View& view) {
  std::vector<std::int64_t> ranks;
  for (const views::Record& record : view.records) {
    if (filter.letsThrough(view, record))
      ranks.push_back(std::get<std::int64_t>(views::value_at(view, record, "rank")));
  }
  return ranks;
}

struct Wanted {
  const char* pattern;
  bool only_standing_out;
  std::vector<std::int64_t> ranks;
};

TEST(RankFilters, LetThroughWhatIsLookedFor) {
  const views::View view = viewOfFour();
  for (const auto& [pattern, only, ranks] :
       {Wanted{"", false, {0, 1, 2, 3}}, Wanted{"", true, {1, 2, 3}}, Wanted{"^rank 1$", false, {1}},
        Wanted{"conv1", false, {1}}, Wanted{"allreduce", true, {2}}, Wanted{"overflow", false, {1}},
        Wanted{"node0", false, {0, 1, 2, 3}}, Wanted{"O1", true, {1, 2, 3}}, Wanted{"O2", false, {}},
        Wanted{"^12$", false, {}}}) {
    const RankFilter filter{.pattern = analysis::Pattern(pattern), .only_standing_out = only};
    EXPECT_EQ(ranksLetThrough(filter, view), ranks) << pattern;
  }
  EXPECT_EQ(ranksLetThrough(RankFilter{}, view).size(), 4u);
}

TEST(RankRows, LeadToTheStepInWhichSomethingBegan) {
  const views::View view = viewOfFour();
  std::vector<RunPlace> places;
  for (const views::Record& record : view.records) places.push_back(placeOf(view, record));
  EXPECT_EQ(places, (std::vector<RunPlace>{{1, std::nullopt}, {2, 7}, {3, 5}, {4, std::nullopt}}));
  EXPECT_FALSE(sawOverflow(view, view.records[0]));
  EXPECT_TRUE(sawOverflow(view, view.records[2]));
}

TEST(RankRows, HaveTheirMarksBesideTheRank) {
  const views::View before = viewOfFour();
  views::View view = viewOfFour();
  putMarksFirst(view);
  ASSERT_EQ(view.columns.size(), before.columns.size());
  EXPECT_EQ(view.columns[0].key, "rank");
  EXPECT_EQ(view.columns[1].key, "stands_out");
  EXPECT_EQ(view.columns[2].key, before.columns[1].key);
  for (std::size_t row = 0; row < view.records.size(); ++row) {
    EXPECT_EQ(view.records[row].cells[1].text, before.records[row].cells.back().text);
    EXPECT_EQ(view.records[row].cells[2], before.records[row].cells[1]);
  }
  EXPECT_EQ(view.records[0].cells[0].tone, text::Tone::Strong) << "nothing stands out of it";
  EXPECT_EQ(view.records[1].cells[0].tone, text::Tone::Attention);
  EXPECT_EQ(view.records[2].cells[0].tone, text::Tone::Bad);
  views::View none = views::ranks_view({});
  putMarksFirst(none);
  EXPECT_TRUE(none.records.empty());
}

TEST(RankRows, AreAModelWithBars) {
  ViewModel model;
  const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
  model.setBars({"ms_per_step", "collective_ms", "no such key"});
  model.show(viewOfFour());
  const int time = model.columnOf("ms_per_step");
  ASSERT_GE(time, 0);
  EXPECT_DOUBLE_EQ(model.index(0, time).data(ViewModel::BarRole).toDouble(), 0.25);
  EXPECT_DOUBLE_EQ(model.index(3, time).data(ViewModel::BarRole).toDouble(), 1.0);
  EXPECT_FALSE(model.index(0, model.columnOf("collective_ms")).data(ViewModel::BarRole).isValid()) << "it has none";
  EXPECT_FALSE(model.index(0, model.columnOf("steps")).data(ViewModel::BarRole).isValid()) << "it was not asked for";
  EXPECT_EQ(model.callSite(1), "backward conv1/mm");
  model.setBars({});
  EXPECT_FALSE(model.index(3, time).data(ViewModel::BarRole).isValid());
}

TEST(RankRows, OfAThousandAreSortedAndFiltered) {
  analysis::RankedLaunch launch = launchOf(1024);
  launch.ranks[700].pace = analysis::Pace::Slower;
  ViewModel model;
  model.setBars({"ms_per_step"});
  model.show(views::ranks_view({launch}));
  ViewFilter seen(model);
  const QAbstractItemModelTester tester(&seen, QAbstractItemModelTester::FailureReportingMode::Fatal);
  ASSERT_EQ(seen.rowCount(), 1024);
  seen.sortByKey("ms_per_step");
  EXPECT_EQ(seen.mapToSource(seen.index(0, 0)).row(), 1023) << "the slowest first";
  seen.keep([&](const views::Record& record) {
    return RankFilter{.only_standing_out = true}.letsThrough(model.view(), record);
  });
  ASSERT_EQ(seen.rowCount(), 1);
  EXPECT_EQ(seen.mapToSource(seen.index(0, 0)).row(), 700);
  seen.keep(nullptr);
  EXPECT_EQ(seen.rowCount(), 1024);
}

}  // namespace rank_rows_test
}  // namespace ampprof::gui
