// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/raw/ranges_page.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QRadioButton>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QTableView>
#include <QTest>
#include <algorithm>

#include "gui/delegates/exponent_delegate.h"
#include "reports/store/sqlite.h"
#include "tests/cli/layered_report.h"
#include "tests/cli/synthetic_report.h"
#include "tests/gui/widgets.h"
#include "tests/temporary_folder.h"

namespace ampprof::gui {
namespace ranges_page_test {

constexpr int kTimeout = 20'000;  // in ms
constexpr const char* kGradients = "backward features.conv1/convolution_backward";

class RangesPages : public testing::Test {
 protected:
  explicit RangesPages(void (*write)(const std::filesystem::path&) = cli::write_synthetic_report)
      : page_((write(path()), std::make_shared<ReportFile>(path()))) {
    page_.resize(1366, 768);
    page_.setVisible(true);
    await([&] { page_.open(); });
  }

  std::filesystem::path path() const { return folder_.path() / "r.ampprof"; }

  template <class Change>
  void await(Change change) {
    QSignalSpy shown(&page_, &TablePage::shown);
    change();
    EXPECT_TRUE(shown.wait(kTimeout));
  }
  template <class Widget>
  Widget* named(const QString& name) const {
    return gui::named<Widget>(page_, name);
  }
  template <class Button>
  Button* button(const QString& text) const {
    return gui::button<Button>(page_, text);
  }

  QTableView* table() const { return page_.findChild<QTableView*>(); }
  std::vector<std::string> titles() const {
    std::vector<std::string> seen;
    for (int column = 0; column < table()->model()->columnCount(); ++column) {
      if (table()->isColumnHidden(column)) continue;
      seen.push_back(table()->model()->headerData(column, Qt::Horizontal).toString().toStdString());
    }
    return seen;
  }
  /// Returns the heat map's cell in the row of a call site in a run.
  QModelIndex heat(const std::string& call_site, const std::string& level = "O1") const {
    for (int row = 0; row < table()->model()->rowCount(); ++row) {
      const auto& json = record(row)->json;
      if (json["call_site"] == call_site && json["level"] == level) return table()->model()->index(row, drawing());
    }
    return {};
  }
  const views::Record* record(int row) const {
    return table()->model()->index(row, 0).data(ViewModel::RecordRole).value<const views::Record*>();
  }
  int drawing() const {
    int column = 0;
    while (!table()->model()->index(0, column).data(ViewModel::DrawingRole).toBool()) ++column;
    return column;
  }
  std::int64_t values(const QModelIndex& cell) const {
    std::int64_t sum = 0;
    for (const auto& count : record(cell.row())->json["exponents"]["counts"]) sum += count.get<std::int64_t>();
    return sum;
  }
  QString note() const {
    QString text;
    for (const auto* label : page_.findChildren<QLabel*>()) {
      if (label->isVisible() && label->wordWrap()) text += label->text();
    }
    return text;
  }

  test_support::TemporaryFolder folder_;
  RangesPage page_;
};

TEST_F(RangesPages, AreAHeatMapOrTheTableOfTheTerminal) {
  const QAbstractItemModelTester tester(table()->model(), QAbstractItemModelTester::FailureReportingMode::Fatal);
  EXPECT_EQ(titles(), (std::vector<std::string>{"run", "call site", "headroom", "2^-40 .. 2^24"}));
  const int wide = table()->columnWidth(drawing());
  EXPECT_GT(wide, page_.width() / 2) << "it takes the room that there is";
  QTest::mouseClick(button<QRadioButton>("Ta&ble"), Qt::LeftButton);
  EXPECT_EQ(titles().size(), 13u);
  EXPECT_FALSE(button<QCheckBox>("FP16")->isVisible());
  QTest::mouseClick(button<QRadioButton>("&Heat map"), Qt::LeftButton);
  EXPECT_EQ(titles().size(), 4u);
  EXPECT_EQ(table()->columnWidth(drawing()), wide);
}

TEST_F(RangesPages, MakeRoomForTheWindowsThatAreChosen) {
  const int one = table()->horizontalHeader()->height();
  button<QCheckBox>("E4M3")->click();
  button<QCheckBox>("E5M2")->click();
  EXPECT_TRUE(QTest::qWaitFor([&] { return table()->horizontalHeader()->height() > one; }, kTimeout));
  EXPECT_EQ(table()->horizontalHeader()->height() - one, 2 * table()->horizontalHeader()->fontMetrics().height());
}

TEST_F(RangesPages, SayWhatIsUnderTheMouse) {
  const QModelIndex cell = heat(kGradients);
  ASSERT_TRUE(cell.isValid());
  const ExponentAxis axis = ExponentDelegate::axisIn(table()->visualRect(cell));
  EXPECT_EQ(ExponentDelegate::toolTip(cell, axis, axis.x(2.5)).toStdString(),
            std::string(kGradients) +
                "\n2^2 to 2^3: 67.5 % of the values, 810\nheadroom: 65504 is 2^13.9993 times the largest value");
  EXPECT_EQ(ExponentDelegate::toolTip(cell, axis, axis.x(-30.5)).section('\n', 1, 1).toStdString(),
            "2^-31 to 2^-30: 7.5 % of the values, 90");
  EXPECT_EQ(ExponentDelegate::toolTip(cell, axis, axis.x(24) + 99), "");
}

TEST_F(RangesPages, ShowOneStepOrAll) {
  EXPECT_EQ(values(heat(kGradients)), 1200);
  auto* slider = named<QSlider>("Step; the left end shows all steps");
  EXPECT_EQ(slider->maximum(), 12);
  slider->setFocus();
  await([&] { QTest::keyClick(slider, Qt::Key_Right); });
  EXPECT_EQ(named<QSpinBox>("Step")->text(), "step 1");
  EXPECT_EQ(values(heat(kGradients)), 100);
  EXPECT_EQ(titles().size(), 4u) << "the look stays";
  EXPECT_TRUE(page_.command().endsWith(" ranges --steps 1:1"));
  await([&] { QTest::keyClick(slider, Qt::Key_Home); });
  EXPECT_EQ(named<QSpinBox>("Step")->text(), "all steps");
  EXPECT_EQ(values(heat(kGradients)), 1200);
}

TEST_F(RangesPages, ShowSomeStepsAloneAndOneOfThem) {
  auto* step = named<QSpinBox>("Step");
  step->setValue(9);
  await([&] { page_.showSteps(queries::StepSpan{3, 5}); });
  EXPECT_EQ(values(heat(kGradients)), 300);
  EXPECT_EQ(step->text(), "steps 3–5");
  EXPECT_TRUE(page_.command().endsWith(" ranges --steps 3:5")) << page_.command().toStdString();
  await([&] { named<QSlider>("Step; the left end shows all steps")->setValue(4); });
  EXPECT_TRUE(page_.command().endsWith(" ranges --steps 4:4")) << page_.command().toStdString();
  EXPECT_EQ(step->maximum(), 5);
  await([&] { page_.showSteps({}); });
  EXPECT_EQ(values(heat(kGradients)), 1200);
  EXPECT_EQ(step->text(), "all steps");
  EXPECT_TRUE(page_.command().endsWith(" ranges")) << page_.command().toStdString();
}

TEST_F(RangesPages, ReadOnlyWhereTheSliderComesToRest) {
  const QSignalSpy shown(&page_, &TablePage::shown);
  auto* slider = named<QSlider>("Step; the left end shows all steps");
  for (int step = 1; step <= 9; ++step) QTest::keyClick(slider, Qt::Key_Right);
  EXPECT_EQ(values(heat(kGradients)), 1200) << "the old picture stays until the new one is there";
  ASSERT_TRUE(QTest::qWaitFor([&] { return !shown.empty(); }, kTimeout));
  EXPECT_EQ(shown.size(), 1);
  EXPECT_EQ(values(heat(kGradients)), 100);
}

TEST_F(RangesPages, KeepTheSelectionFromStepToStep) {
  const QSignalSpy selected(&page_, &Page::selected);
  table()->setFocus();
  table()->setCurrentIndex(table()->model()->index(0, 1));
  QTest::keyClick(table(), Qt::Key_Down);
  const std::string site = record(table()->currentIndex().row())->json["call_site"];
  EXPECT_EQ(selected.back().front().toString().toStdString(), site);
  await([&] { named<QSpinBox>("Step")->setValue(5); });
  EXPECT_EQ(record(table()->currentIndex().row())->json["call_site"], site);
}

TEST_F(RangesPages, ShowWhatIsSelectedElsewhere) {
  page_.select(kGradients);
  EXPECT_EQ(record(table()->currentIndex().row())->json["call_site"], kGradients);
  EXPECT_TRUE(table()->viewport()->rect().intersects(table()->visualRect(table()->currentIndex())));
}

TEST_F(RangesPages, AreFilteredAndSayTheCommand) {
  QTest::keyClicks(named<QLineEdit>("Filter by op"), "conv2d");
  EXPECT_EQ(table()->model()->rowCount(), 3) << "one in each run";
  EXPECT_TRUE(page_.command().endsWith(" ranges --op conv2d"));
  await([&] { named<QComboBox>("Run")->setCurrentIndex(2); });
  EXPECT_EQ(table()->model()->rowCount(), 1);
}

TEST_F(RangesPages, AreInTheOrderOfTheProgramByChoice) {
  await([&] { named<QComboBox>("Order")->setCurrentIndex(1); });
  std::vector<std::string> sites;
  for (int row = 0; row < 5; ++row) sites.push_back(record(row)->json["call_site"]);
  EXPECT_EQ(sites,
            (std::vector<std::string>{"features.conv1/conv2d", "classifier.fc2/linear", "backward classifier.fc2/mm",
                                      kGradients, "optimizer features.conv1/add_.Tensor"}));
}

void write_report_without_step(const std::filesystem::path& path) {
  cli::write_synthetic_report(path);
  store::Database(path, store::OpenMode::Write).run("UPDATE segment SET step = 13 WHERE step = 7");
}

class RangesPagesWithoutAStep : public RangesPages {
 protected:
  RangesPagesWithoutAStep() : RangesPages(write_report_without_step) {}
};

TEST_F(RangesPagesWithoutAStep, SaySo) {
  await([&] { named<QSpinBox>("Step")->setValue(7); });
  EXPECT_TRUE(note().contains("No op call was recorded in step 7.")) << note().toStdString();
}

void write_report_without_reference(const std::filesystem::path& path) {
  cli::write_synthetic_report(path);
  store::Database(path, store::OpenMode::Write).run("UPDATE op_total SET exponents = x'', elements = NULL");
}

class RangesPagesWithoutReference : public RangesPages {
 protected:
  RangesPagesWithoutReference() : RangesPages(write_report_without_reference) {}
};

TEST_F(RangesPagesWithoutReference, SayWhatToRecord) {
  EXPECT_TRUE(note().contains("ampprof run --reference fp32")) << note().toStdString();
  EXPECT_FALSE(button<QCheckBox>("FP16")->isVisible()) << "there is nothing to hold its window against";
  EXPECT_GT(titles().size(), 4u) << "so it is the table";
}

}  // namespace ranges_page_test
}  // namespace ampprof::gui
