// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/ranks/ranks_page.h"

#include <gtest/gtest.h>

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <algorithm>

#include "tests/cli/synthetic_report.h"
#include "tests/gui/ranks_report.h"
#include "tests/gui/widgets.h"
#include "tests/temporary_folder.h"
#include "tests/views/all_runs.h"
#include "views/ranks/views.h"
#include "views/table/format.h"

namespace ampprof::gui {
namespace ranks_page_test {

constexpr int kTimeout = 20'000;  // in ms

class RanksPages : public testing::Test {
 protected:
  void open() {
    page_ = std::make_unique<RanksPage>(std::make_shared<const ReportFile>(path_));
    page_->resize(1366, 768);
    page_->setVisible(true);
    QSignalSpy shown(page_.get(), &TablePage::shown);
    page_->open();
    ASSERT_TRUE(shown.wait(kTimeout));
    QObject::connect(page_.get(), &Page::placeWanted, [this](const QString& view, const RunPlace& place) {
      wanted_view_ = view;
      wanted_ = place;
    });
  }
  void openThree() {
    writeThreeRanks(path_);
    open();
  }

  views::View printed() const {
    views::AllRuns opened(path_);
    return views::ranks_view(opened.source().report, opened.source().runs);
  }
  QTableView* table() const { return page_->findChild<QTableView*>(); }
  int rows() const { return table()->model()->rowCount(); }
  QString cell(int row, int column) const { return table()->model()->index(row, column).data().toString(); }
  QStringList said() const {
    QStringList texts;
    for (const QLabel* label : page_->findChildren<QLabel*>()) {
      if (label->isVisible()) texts << label->text();
    }
    return texts;
  }
  void choose(int row) { table()->setCurrentIndex(table()->model()->index(row, 0)); }

  test_support::TemporaryFolder folder_;
  std::filesystem::path path_ = folder_ / "ranks.ampprof";
  std::unique_ptr<RanksPage> page_;
  QString wanted_view_;
  RunPlace wanted_;
};

TEST_F(RanksPages, ShowWhatTheCommandLinePrints) {
  openThree();
  const views::View view = printed();
  EXPECT_EQ(page_->csv(), formatted(view, views::Format::Csv, {}));
  EXPECT_EQ(page_->command().toStdString(), "ampprof show " + path_.string() + " ranks");
  ASSERT_FALSE(view.said.empty());
  EXPECT_EQ(view.said.front().text, "The overflow in step 4 began on rank 1 in backward fc/mm, parameter fc.weight.");
  for (const views::Sentence& sentence : view.said) {
    EXPECT_TRUE(said().contains(QString::fromStdString(sentence.text))) << sentence.text;
  }
  EXPECT_FALSE(named<QComboBox>(*page_, "Run")->isVisible()) << "a rank alone is compared with none";
}

TEST_F(RanksPages, MarkRanksInWordsBesideTheirNumbers) {
  openThree();
  ASSERT_EQ(rows(), 3);
  EXPECT_EQ(table()->model()->headerData(0, Qt::Horizontal).toString(), "rank");
  EXPECT_EQ(table()->model()->headerData(1, Qt::Horizontal).toString(), "stands out");
  EXPECT_EQ(cell(0, 1), "");
  EXPECT_EQ(cell(1, 1), "began 1 overflow");
  EXPECT_TRUE(cell(2, 1).contains("did not end normally")) << cell(2, 1).toStdString();
  const auto tone = [&](int row) { return table()->model()->index(row, 0).data(ViewModel::ToneRole).toInt(); };
  EXPECT_NE(tone(1), tone(0));
  double longest = 0.0;
  for (int column = 0; column < table()->model()->columnCount(); ++column) {
    if (table()->model()->headerData(column, Qt::Horizontal).toString() != "time/step") continue;
    for (int row = 0; row < rows(); ++row) {
      longest = std::max(longest, table()->model()->index(row, column).data(ViewModel::BarRole).toDouble());
    }
  }
  EXPECT_EQ(longest, 1.0);
  EXPECT_FALSE(page_->grab().isNull());
}

TEST_F(RanksPages, AreFilteredAsOneTypes) {
  openThree();
  ASSERT_EQ(page_->filterField(), named<QLineEdit>(*page_, "Filter by rank, host or op"));
  QTest::keyClicks(page_->filterField(), "rank 1");
  EXPECT_EQ(rows(), 1);
  EXPECT_TRUE(said().contains("1 of 3 rows"));
  QTest::keyClicks(page_->filterField(), "(");
  EXPECT_EQ(rows(), 1) << "a pattern that is not finished takes nothing away";
  EXPECT_FALSE(said().filter("'rank 1(' is not a regular expression").isEmpty());
  static_cast<QLineEdit*>(page_->filterField())->clear();
  EXPECT_EQ(rows(), 3);
  named<QCheckBox>(*page_, "Only ranks that stand out")->setChecked(true);
  EXPECT_EQ(rows(), 2);
  EXPECT_EQ(std::ranges::count(page_->csv().value_or(""), '\n'), 3) << "the title and two ranks";
}

TEST_F(RanksPages, LeadToTheRunOfTheRank) {
  openThree();
  auto* to_overflow = button<QPushButton>(*page_, "→ Overflow");
  auto* to_timeline = button<QPushButton>(*page_, "→ Timeline");
  ASSERT_NE(to_overflow, nullptr);
  ASSERT_NE(to_timeline, nullptr);
  EXPECT_FALSE(to_timeline->isEnabled()) << "no rank is chosen";
  QSignalSpy selected(page_.get(), &Page::selected);
  choose(1);
  ASSERT_EQ(selected.size(), 1);
  EXPECT_EQ(selected[0][0].toString(), "backward fc/mm");
  QTest::keyClick(table(), Qt::Key_Return);
  EXPECT_EQ(wanted_view_, "timeline");
  EXPECT_EQ(wanted_, (RunPlace{2, kStepOfOverflow}));
  QTest::mouseClick(to_overflow, Qt::LeftButton);
  EXPECT_EQ(wanted_view_, "events");
  choose(2);
  EXPECT_FALSE(to_overflow->isEnabled()) << "it saw none";
  QTest::mouseClick(to_timeline, Qt::LeftButton);
  EXPECT_EQ(wanted_view_, "timeline");
  EXPECT_EQ(wanted_, (RunPlace{3, std::nullopt}));
}

TEST_F(RanksPages, LeadToTheRankThatIsSeenThere) {
  openThree();
  table()->sortByColumn(0, Qt::AscendingOrder);
  ASSERT_EQ(cell(0, 0), "2");
  choose(0);
  QTest::keyClick(table(), Qt::Key_Return);
  EXPECT_EQ(wanted_.run, 3);
}

TEST_F(RanksPages, SayWhatToDoWithoutRanks) {
  cli::write_synthetic_report(path_);
  open();
  EXPECT_FALSE(table()->isVisible());
  EXPECT_FALSE(page_->filterField()->isVisible());
  EXPECT_FALSE(said().filter("ampprof merge").isEmpty()) << said().join('\n').toStdString();
}

TEST_F(RanksPages, SayWhatToDoWithoutRuns) {
  store::create_report(path_, false);
  open();
  EXPECT_FALSE(said().filter("This report holds no run. Record one").isEmpty()) << said().join('\n').toStdString();
}

TEST_F(RanksPages, HoldAThousandRanksWithoutAWidgetForEach) {
  std::vector<RecordedRank> ranks(1024);
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) ranks[rank].rank = static_cast<std::int64_t>(rank);
  ranks[700].ends = false;
  writeRanks(path_, ranks, 1024);
  open();
  ASSERT_EQ(rows(), 1024);
  EXPECT_LT(page_->findChildren<QWidget*>().size(), 200);
  table()->sortByColumn(0, Qt::AscendingOrder);
  EXPECT_EQ(cell(0, 0), "1023");
  named<QCheckBox>(*page_, "Only ranks that stand out")->setChecked(true);
  ASSERT_GE(rows(), 1);
  named<QLineEdit>(*page_, "Filter by rank, host or op")->setText("^rank 700$");
  ASSERT_EQ(rows(), 1);
  EXPECT_EQ(cell(0, 0), "700");
}

}  // namespace ranks_page_test
}  // namespace ampprof::gui
