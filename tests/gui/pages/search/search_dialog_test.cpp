// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/search/search_dialog.h"

#include <gtest/gtest.h>

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>
#include <QTreeView>

#include "gui/data/report_file.h"
#include "tests/cli/layered_report.h"
#include "tests/gui/search_trials.h"
#include "tests/gui/widgets.h"
#include "tests/temporary_folder.h"

namespace ampprof::gui {
namespace search_dialog_test {

constexpr int kTimeout = 20'000;  // in ms

class SearchDialogs : public testing::Test {
 protected:
  SearchDialogs() {
    cli::write_layered_report(report());
    subject_ = subjectOf(*advisedBoard(ReportFile(report())));
    question_ = questionOf({.program = kSearchedProgram}, subject_);
    for (std::size_t i = 0; i < question_.candidates.all.size(); ++i) all_.push_back(i);
  }

  std::filesystem::path report() const { return folder_ / "r.ampprof"; }
  void open() {
    dialog_ = std::make_unique<SearchDialog>(subject_, QString::fromStdString(report().string()));
    const QSignalSpy shown(dialog_.get(), &SearchDialog::shown);
    dialog_->show();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !shown.empty(); }, kTimeout));
  }
  /// Returns a writer of trials into the report of this search.
  SearchTrials trials() const { return {folder_ / "r-search.ampprof", question_}; }
  void add_all(const SearchTrials& trials) const {
    for (const int repeat : {0, 1}) trials.add(all_, repeat, 1.0);
  }

  QPushButton* startButton() const {
    for (const char* text : {"&Start", "&Stop", "&Resume"}) {
      if (auto* found = button<QPushButton>(*dialog_, text)) return found;
    }
    return nullptr;
  }
  QPushButton* takeButton() const { return button<QPushButton>(*dialog_, "&Take this set"); }
  std::string said(const char* name) const { return named<QLabel>(*dialog_, name)->text().toStdString(); }
  QString command() const { return named<QPlainTextEdit>(*dialog_, "Command")->toPlainText(); }
  const QAbstractItemModel& tree() const { return *named<QTreeView>(*dialog_, "Sets that were tried")->model(); }

  test_support::TemporaryFolder folder_;
  SearchSubject subject_;
  search::SearchProblem question_;
  search::Set all_;
  std::unique_ptr<SearchDialog> dialog_;
};

TEST_F(SearchDialogs, ShowTheCommandBeforeAnythingRuns) {
  open();
  EXPECT_EQ(startButton()->text(), "&Start");
  EXPECT_TRUE(startButton()->isEnabled());
  EXPECT_FALSE(takeButton()->isEnabled());
  EXPECT_TRUE(command().endsWith("r-search.ampprof -- ./train --layers 3")) << command().toStdString();
  EXPECT_EQ(said("Progress of the search"), "No set was tried yet. Check the command, then start it.");
  EXPECT_EQ(tree().rowCount(), 5);
}

TEST_F(SearchDialogs, SayWhatIsWrongWithAMetric) {
  open();
  named<QComboBox>(*dialog_, "Metric")->setCurrentText("accuracy");
  EXPECT_FALSE(startButton()->isEnabled());
  EXPECT_TRUE(QString::fromStdString(said("What the search found")).contains("has no group"));
  named<QComboBox>(*dialog_, "Metric")->setCurrentText("accuracy ([0-9.]+)");
  named<QSpinBox>(*dialog_, "Budget")->setValue(5);
  EXPECT_TRUE(startButton()->isEnabled());
  EXPECT_TRUE(command().contains("--metric 'accuracy ([0-9.]+)' --budget 5m")) << command().toStdString();
}

TEST_F(SearchDialogs, ContinueFromTheReport) {
  add_all(trials());
  open();
  EXPECT_EQ(startButton()->text(), "&Resume");
  EXPECT_EQ(said("Progress of the search"), "1 set tried · best so far: 6 of 6 functions");
  EXPECT_TRUE(takeButton()->isEnabled());
  EXPECT_EQ(tree().rowCount(tree().index(0, 0)), 6) << "the members of everything";
}

TEST_F(SearchDialogs, ReadTheReportWhileItGrows) {
  const SearchTrials growing = trials();
  add_all(growing);
  open();
  growing.add({}, 0, 1.0);
  search::Set advised;
  for (std::size_t i = 0; i < question_.candidates.advised; ++i) advised.push_back(i);
  growing.add(advised, 0, 1.0);
  const QSignalSpy shown(dialog_.get(), &SearchDialog::shown);
  dialog_->read();
  ASSERT_TRUE(QTest::qWaitFor([&] { return !shown.empty(); }, kTimeout));
  EXPECT_TRUE(QString::fromStdString(said("Progress of the search")).contains("best so far: 0 of 6"));
  EXPECT_FALSE(startButton()->isEnabled()) << "it is at its end";
  EXPECT_TRUE(QString::fromStdString(said("What the search found")).startsWith("Nothing needs to stay in FP32"));
}

TEST_F(SearchDialogs, GiveTheirSetAway) {
  add_all(trials());
  open();
  const QSignalSpy taken(dialog_.get(), &SearchDialog::taken);
  QTest::mouseClick(takeButton(), Qt::LeftButton);
  ASSERT_EQ(taken.size(), 1);
  EXPECT_EQ(taken[0][0].toStringList().size(), 6);
  EXPECT_TRUE(taken[0][1].toString().startsWith("So far, keep 6 of 6 functions in FP32"));
}

TEST_F(SearchDialogs, ShowWhatIsPrintedWhereASearchCannotBegin) {
  open();
  named<QLineEdit>(*dialog_, "Program")->setText("./no-such-program");
  QTest::mouseClick(startButton(), Qt::LeftButton);
  EXPECT_EQ(startButton()->text(), "&Stop");
  ASSERT_TRUE(QTest::qWaitFor([&] { return !dialog_->isRunning() && startButton()->text() != "&Stop"; }, kTimeout));
  EXPECT_TRUE(QTest::qWaitFor([&] { return named<QPlainTextEdit>(*dialog_, "What the search prints")->isVisible(); },
                              kTimeout));
  EXPECT_TRUE(QString::fromStdString(said("What the search found")).contains("exit code"));
}

}  // namespace search_dialog_test
}  // namespace ampprof::gui
