// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/search_tree.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QPersistentModelIndex>
#include <QSignalSpy>

#include "gui/models/view_model.h"
#include "views/search/search.h"

namespace ampprof::gui {
namespace search_tree_test {

using search::Stage;
using search::Verdict;

enum Row { Everything, Advised, Nothing, Halves, OneByOne };

/// Returns a search among three functions. The search has tried all three in FP32 and now runs the advised set.
search::Result begun() {
  search::Result result;
  result.question.candidates = {.all = {{"exp fp32", ""}, {"mm fp32 in fc", ""}, {"mul fp32", ""}}, .advised = 1};
  result.findings.evaluations = {
      {.set = {0, 1, 2}, .verdict = Verdict::Pass, .runs = 2, .metric = search::Estimate{2.0, 0.5}},
      {.set = {0}, .stage = Stage::Advised, .running = 1}};
  return result;
}

class SearchTrees : public testing::Test {
 protected:
  void show(const search::Result& result, const std::vector<std::string>& best = {}) {
    tree_.show(views::search_view(result), best.empty() ? views::Value() : views::Value(views::Json(best)));
  }
  QModelIndex stage(int row, int column = 0) const { return tree_.index(row, column); }
  int column(const char* title) const {
    for (int place = 0; place < tree_.columnCount(); ++place) {
      if (tree_.headerData(place, Qt::Horizontal).toString() == title) return place;
    }
    return -1;
  }
  std::string text(const QModelIndex& index) const { return index.data().toString().toStdString(); }

  SearchTree tree_;
  QAbstractItemModelTester tester_{&tree_, QAbstractItemModelTester::FailureReportingMode::Fatal};
};

TEST_F(SearchTrees, NameTheStagesThatAreToCome) {
  show({});
  ASSERT_EQ(tree_.rowCount(), 5);
  EXPECT_EQ(text(stage(Everything)), "everything");
  EXPECT_EQ(text(stage(OneByOne)), "one by one");
  EXPECT_EQ(stage(Halves).data(ViewModel::ToneRole).toInt(), static_cast<int>(text::Tone::Faint));
}

TEST_F(SearchTrees, ShowWhatCameOutOfASetAndItsMembers) {
  show(begun());
  EXPECT_EQ(text(stage(Everything)), "everything");
  EXPECT_EQ(text(stage(Everything, column("verdict"))), "pass");
  EXPECT_EQ(text(stage(Everything, column("metric"))), "2 ±0.5");
  EXPECT_EQ(text(stage(Everything, column("runs"))), "2");
  EXPECT_EQ(tree_.rowCount(stage(Everything)), 3);
  EXPECT_EQ(text(tree_.index(1, 0, stage(Everything))), "mm fp32 in fc");
  EXPECT_EQ(text(stage(Advised)), "advised: exp fp32");
  EXPECT_EQ(text(stage(Advised, column("verdict"))), "running");
}

TEST_F(SearchTrees, KeepTheirRowsWhileASearchGoesOn) {
  search::Result result = begun();
  result.findings.evaluations.push_back({.set = {0, 1}, .stage = Stage::Halves, .running = 1});
  show(result);
  const QPersistentModelIndex halves = stage(Halves);
  const QPersistentModelIndex set = tree_.index(0, 0, halves);
  const QSignalSpy resets(&tree_, &SearchTree::modelReset);
  result.findings.evaluations[1] = {.set = {0}, .verdict = Verdict::Fail, .runs = 1, .stage = Stage::Advised};
  result.findings.evaluations[2] = {.set = {0, 1}, .verdict = Verdict::Pass, .runs = 1, .stage = Stage::Halves};
  result.findings.evaluations.push_back({.set = {1}, .stage = Stage::Halves, .running = 1});
  show(result);
  EXPECT_EQ(resets.size(), 0);
  ASSERT_TRUE(set.isValid());
  EXPECT_EQ(text(QModelIndex(set).siblingAtColumn(column("verdict"))), "pass");
  EXPECT_EQ(tree_.rowCount(halves), 2);
  result.findings.evaluations.pop_back();
  show(result);
  EXPECT_EQ(tree_.rowCount(halves), 1) << "it was stopped, and never ran";
  EXPECT_TRUE(set.isValid());
}

TEST_F(SearchTrees, MarkTheBestSet) {
  search::Result result = begun();
  show(result, {"exp fp32", "mm fp32 in fc", "mul fp32"});
  EXPECT_TRUE(stage(Everything).data(SearchTree::BestRole).toBool());
  EXPECT_FALSE(stage(Advised).data(SearchTree::BestRole).toBool());
  EXPECT_EQ(stage(Everything).data(ViewModel::ToneRole).toInt(), static_cast<int>(text::Tone::Strong));
}

TEST_F(SearchTrees, SayThatNothingWasInHighPrecision) {
  search::Result result = begun();
  result.findings.evaluations.push_back({.set = {}, .verdict = Verdict::Fail, .runs = 1, .stage = Stage::Nothing});
  show(result);
  EXPECT_EQ(text(stage(Nothing)), "nothing");
  EXPECT_EQ(tree_.rowCount(stage(Nothing)), 0);
}

}  // namespace search_tree_test
}  // namespace ampprof::gui
