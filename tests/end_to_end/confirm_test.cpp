// SPDX-License-Identifier: GPL-3.0-or-later
// Tests the path from a sample's report to the run that confirms a policy, in the real GUI with the real program.
#include <gtest/gtest.h>

#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QTreeView>
#include <map>
#include <string>

#include "gui/pages/decide/board_page.h"
#include "gui/pages/decide/confirm_dialog.h"
#include "gui/window/main_window.h"
#include "gui/window/report_tab.h"
#include "reports/queries/ops.h"
#include "reports/queries/report.h"
#include "reports/records/dtype.h"
#include "tests/end_to_end/command.h"
#include "tests/gui/widgets.h"

namespace ampprof::gui {
namespace confirm_test {

constexpr int kTimeout = 120'000;  // in ms; long enough for a busy machine

using Types = std::map<std::string, DType>;

/// Returns the compute type of each module's forward matmul at O1.
Types types_of_matmuls(const std::filesystem::path& report) {
  Types types;
  for (const queries::OpRow& op : queries::ops(queries::Report(report))) {
    if (op.level == "O1" && op.phase == Phase::Forward && op.op == "addmm") types[op.module] = op.dtype_out;
  }
  return types;
}

TEST(Confirm, RecordsASampleAgainWithWhatWasMarked) {
  const testing::TemporaryFolder folder;
  const auto recorded = testing::run_command(
      testing::ampprof() + " run -o r.ampprof --levels O0,O1 sample:mlp --steps 4 --batch-size 8 --threads 1",
      folder.path());
  ASSERT_EQ(recorded.exit_code, 0) << recorded.err;
  EXPECT_EQ(types_of_matmuls(folder.path() / "r.ampprof"),
            (Types{{"fc1", DType::Half}, {"fc2", DType::Half}, {"fc3", DType::Half}}));

  MainWindow window;
  window.show();
  QSignalSpy opened(&window, &MainWindow::opened);
  window.openReport(QString::fromStdString((folder.path() / "r.ampprof").string()));
  ASSERT_TRUE(opened.wait(kTimeout));
  window.tab()->showView("decide");
  auto* page = qobject_cast<BoardPage*>(window.tab()->page());
  auto* tree = page->findChild<QTreeView*>();
  ASSERT_TRUE(QTest::qWaitFor([&] { return tree->model()->rowCount() > 0; }, kTimeout));
  ASSERT_EQ(tree->model()->index(0, 0).data().toString(), "fc3/*") << "the worst comes first";
  tree->setCurrentIndex(tree->model()->index(0, 0));
  QTest::keyClick(tree, Qt::Key_Space);
  ASSERT_FALSE(page->advice().policy.empty());
  page->confirm();
  auto* dialog = page->findChild<ConfirmDialog*>();
  ASSERT_NE(dialog, nullptr);
  QTest::mouseClick(button<QPushButton>(*dialog, "&Start"), Qt::LeftButton);
  ASSERT_TRUE(opened.wait(kTimeout)) << "the confirming run has no report";
  EXPECT_EQ(nameOf(*window.tab()->file()), "r-confirmed.ampprof");
  EXPECT_EQ(types_of_matmuls(folder.path() / "r-confirmed.ampprof"),
            (Types{{"fc1", DType::Half}, {"fc2", DType::Half}, {"fc3", DType::Float}}));
}

}  // namespace confirm_test
}  // namespace ampprof::gui
