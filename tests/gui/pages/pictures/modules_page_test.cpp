// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/pictures/modules_page.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QComboBox>
#include <QHelpEvent>
#include <QLabel>
#include <QRadioButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QToolTip>
#include <QTreeView>
#include <algorithm>

#include "gui/pages/pictures/box_legend.h"
#include "gui/pages/pictures/tree_canvas.h"
#include "reports/queries/ops.h"
#include "tests/cli/synthetic_report.h"
#include "tests/gui/widgets.h"
#include "tests/temporary_folder.h"

namespace ampprof::gui {
namespace modules_page_test {

constexpr int kTimeout = 20'000;  // in ms
constexpr const char* kConv = "features.conv1/conv2d";

class ModulesPages : public testing::Test {
 protected:
  ModulesPages() : file_(written()), page_(file_) {
    page_.resize(1000, 600);
    page_.show();
    page_.activateWindow();
    EXPECT_TRUE(QTest::qWaitForWindowActive(&page_));
    await([this] { page_.open(); });
  }

  std::shared_ptr<const ReportFile> written() {
    cli::write_synthetic_report(folder_ / "r.ampprof");
    return std::make_shared<const ReportFile>(folder_ / "r.ampprof");
  }

  template <class Change>
  void await(const Change& change) {
    QSignalSpy shown(&page_, &ModulesPage::shown);
    change();
    ASSERT_TRUE(shown.wait(kTimeout));
  }
  template <class Widget>
  Widget* named(const QString& name) const {
    return named<Widget>(page_, name);
  }
  template <class Widget>
  static Widget* named(const ModulesPage& page, const QString& name) {
    return gui::named<Widget>(page, name);
  }
  TreeCanvas* canvas() const { return page_.findChild<TreeCanvas*>(); }
  QTreeView* tree() const { return named<QTreeView>("Modules and their ops"); }
  void setBox(const char* name, const QString& item) { named<QComboBox>(name)->setCurrentText(item); }
  void shape(const char* name) { named<QRadioButton>(name)->click(); }

  const ModulePicture& picture() const { return static_cast<const ModuleTreeModel*>(tree()->model())->picture(); }
  std::size_t nodeOf(const std::string& call_site) const {
    const auto& sites = picture().sites;
    const auto found = std::ranges::find(sites, call_site, [](const auto* site) { return site->row->call_site; });
    return picture().tree.nodeOf(static_cast<std::size_t>(found - sites.begin()));
  }
  QPoint middleOf(std::size_t node) const { return canvas()->rectOf(node).center().toPoint(); }

  test_support::TemporaryFolder folder_;
  std::shared_ptr<const ReportFile> file_;
  ModulesPage page_;
};

TEST_F(ModulesPages, TellWhichCallSiteWasClicked) {
  const QSignalSpy selected(&page_, &Page::selected);
  QTest::mouseClick(canvas(), Qt::LeftButton, {}, middleOf(nodeOf(kConv)));
  ASSERT_EQ(selected.size(), 1);
  EXPECT_EQ(selected.front().front(), kConv);
  EXPECT_EQ(tree()->currentIndex().data(), "conv2d") << "all shapes show what is selected";
}

TEST_F(ModulesPages, ShowWhatIsSelectedElsewhere) {
  const QSignalSpy selected(&page_, &Page::selected);
  page_.select(kConv);
  EXPECT_EQ(canvas()->current(), nodeOf(kConv));
  page_.select("");
  EXPECT_FALSE(tree()->currentIndex().isValid());
  EXPECT_TRUE(selected.empty()) << "the user did not choose anything";
}

TEST_F(ModulesPages, SayTheFiguresOfABox) {
  const QPoint place = middleOf(nodeOf(kConv));
  QHelpEvent help(QEvent::ToolTip, place, canvas()->mapToGlobal(place));
  QApplication::sendEvent(canvas(), &help);
  EXPECT_TRUE(QToolTip::text().startsWith(kConv)) << QToolTip::text().toStdString();
  EXPECT_TRUE(QToolTip::text().contains("of the area")) << QToolTip::text().toStdString();
}

TEST_F(ModulesPages, ZoomIntoAModuleAndBack) {
  const std::size_t module = picture().tree.moduleAt("features.conv1");
  QTest::mouseDClick(canvas(), Qt::LeftButton, {}, middleOf(module));
  EXPECT_EQ(canvas()->root(), module);
  EXPECT_EQ(canvas()->rectOf(module).width(), canvas()->width());
  EXPECT_TRUE(canvas()->rectOf(0).isEmpty()) << "what is around it is not drawn";
  named<QToolButton>("Zoom out to everything")->click();
  EXPECT_EQ(canvas()->root(), 0u);
}

TEST_F(ModulesPages, GoByKeys) {
  canvas()->setFocus();
  const QSignalSpy selected(&page_, &Page::selected);
  QTest::keyClick(canvas(), Qt::Key_Down);
  const std::size_t heaviest = picture().tree.nodes.front().children.front();
  EXPECT_EQ(canvas()->current(), heaviest);
  QTest::keyClick(canvas(), Qt::Key_Right);
  EXPECT_EQ(canvas()->current(), picture().tree.nodes.front().children.at(1));
  QTest::keyClick(canvas(), Qt::Key_Left);
  QTest::keyClick(canvas(), Qt::Key_Return);
  EXPECT_EQ(canvas()->root(), heaviest);
  QTest::keyClick(canvas(), Qt::Key_Backspace);
  EXPECT_EQ(canvas()->root(), 0u);
  EXPECT_TRUE(selected.empty()) << "no call site was reached";
  while (!picture().tree.nodes[canvas()->current()].leaf) QTest::keyClick(canvas(), Qt::Key_Down);
  EXPECT_EQ(selected.size(), 1);
  EXPECT_TRUE(canvas()->accessibleDescription().contains("of the area"));
}

TEST_F(ModulesPages, KeepTheModuleThatIsVisible) {
  canvas()->zoom(picture().tree.moduleAt("features.conv1"));
  setBox("Areas", "local error");
  EXPECT_EQ(canvas()->root(), picture().tree.moduleAt("features.conv1"));
}

TEST_F(ModulesPages, FillTheRoomAsATreemap) {
  shape("Treemap");
  EXPECT_EQ(canvas()->rectOf(0), QRectF(canvas()->rect()));
  const QRectF conv = canvas()->rectOf(nodeOf(kConv));
  EXPECT_TRUE(canvas()->rectOf(picture().tree.moduleAt("features.conv1")).adjusted(-1, -1, 1, 1).contains(conv));
  shape("Model tree");
  EXPECT_TRUE(tree()->isVisible());
  EXPECT_FALSE(canvas()->isVisible());
}

TEST_F(ModulesPages, FillTheRoomAsAnIcicle) {
  page_.resize(2560, 1440);
  ASSERT_TRUE(QTest::qWaitFor([this] { return canvas()->height() > 1'100; }, kTimeout));
  double lowest = 0.0;
  for (std::size_t node = 0; node < picture().tree.nodes.size(); ++node)
    lowest = std::max(lowest, canvas()->rectOf(node).bottom());
  EXPECT_NEAR(lowest, canvas()->height(), 1.0);
}

TEST_F(ModulesPages, SayWhatToDoWhereNothingWasRecorded) {
  setBox("Phase", "backward");
  setBox("Areas", "accumulated error");
  const auto labels = page_.findChildren<QLabel*>();
  const auto speaks = [](const QLabel* label) { return label->isVisible() && label->text().contains("--inherited"); };
  EXPECT_TRUE(std::ranges::any_of(labels, speaks));
  EXPECT_FALSE(canvas()->isVisible());
}

TEST_F(ModulesPages, BeginWithColoursThatTheRunHas) {
  EXPECT_EQ(named<QComboBox>("Colours")->currentText(), "loss impact");
  ModulesPage other(file_);
  named<QComboBox>(other, "Run")->setCurrentText("O3");
  QSignalSpy shown(&other, &ModulesPage::shown);
  other.open();
  ASSERT_TRUE(shown.wait(kTimeout));
  EXPECT_EQ(named<QComboBox>(other, "Colours")->currentText(), "local error") << "O3 has no impact on the loss";
}

TEST_F(ModulesPages, SayThatAreasCompareSquares) {
  EXPECT_FALSE(named<QLabel>("What the picture shows")->text().contains("squares"));
  setBox("Areas", "loss impact");
  EXPECT_TRUE(named<QLabel>("What the picture shows")->text().contains("squares"));
}

TEST_F(ModulesPages, ColourWhatChangedSinceAnotherRun) {
  await([this] { setBox("Compared with", "O0"); });
  EXPECT_TRUE(named<QLabel>("What the picture shows")->text().contains("only one run on a side"));
  EXPECT_TRUE(page_.findChild<BoxLegend*>()->accessibleDescription().contains("time per step became"));
  EXPECT_FALSE(named<QComboBox>("Colours")->isEnabled()) << "colours are changes";
  await([this] { setBox("Compared with", "no other run"); });
  EXPECT_TRUE(named<QComboBox>("Colours")->isEnabled());
}

TEST_F(ModulesPages, ShowSomeStepsAlone) {
  const auto callsOf = [&] { return picture().sites.at(0)->row->calls; };
  EXPECT_EQ(callsOf(), 12);
  ASSERT_TRUE(page_.takesSteps());
  await([this] { page_.showSteps(queries::StepSpan{2, 3}); });
  EXPECT_EQ(callsOf(), 2);
  EXPECT_EQ(picture().sites.at(0)->steps, 2.0);
  EXPECT_TRUE(page_.command().endsWith(" ops --run 2 --steps 2:3")) << page_.command().toStdString();
  EXPECT_TRUE(named<QLabel>("What the picture shows")->text().contains("only for all steps together"));
  await([this] { setBox("Compared with", "O0"); });
  EXPECT_FALSE(page_.takesSteps()) << "a comparison is of all steps";
  EXPECT_EQ(callsOf(), 12);
  await([this] { setBox("Compared with", "no other run"); });
  EXPECT_EQ(callsOf(), 2);
  await([this] { page_.showSteps({}); });
  EXPECT_EQ(callsOf(), 12);
}

TEST_F(ModulesPages, NameTheCommandThatPrintsTheSame) {
  EXPECT_TRUE(page_.command().endsWith(" ops --run 2")) << page_.command().toStdString();
}

}  // namespace modules_page_test
}  // namespace ampprof::gui
