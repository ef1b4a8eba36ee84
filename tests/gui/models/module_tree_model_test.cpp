// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/module_tree_model.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>

#include "gui/data/report_file.h"
#include "gui/data/site_measure.h"
#include "gui/models/marked_tree.h"
#include "gui/models/module_text.h"
#include "reports/queries/ops.h"
#include "tests/cli/synthetic_report.h"
#include "tests/temporary_folder.h"

namespace ampprof::gui {
namespace module_tree_model_test {

struct ModuleTrees : testing::Test {
  ModuleTrees() {
    cli::write_synthetic_report(folder_ / "r.ampprof");
    sites_ = picturedSites(ReportFile(folder_ / "r.ampprof"), 2, {});
    model_.show(modulePicture(sites_, {}, kTimeMeasure), kTimeMeasure);
  }

  QModelIndex rowOf(const std::string& call_site) const {
    const auto& sites = model_.picture().sites;
    const auto found = std::ranges::find(sites, call_site, [](const auto* site) { return site->row->call_site; });
    return model_.indexOf(model_.picture().tree.nodeOf(static_cast<std::size_t>(found - sites.begin())));
  }

  test_support::TemporaryFolder folder_;
  PicturedSites sites_;
  ModuleTreeModel model_;
};

TEST_F(ModuleTrees, AreModels) {
  const QAbstractItemModelTester tester(&model_, QAbstractItemModelTester::FailureReportingMode::Fatal);
  model_.show(modulePicture(sites_, Phase::Forward, kLossMeasure), kLossMeasure);
  EXPECT_GT(model_.rowCount(), 0);
}

TEST_F(ModuleTrees, PutCallSitesIntoTheirModules) {
  const QModelIndex row = rowOf("features.conv1/conv2d");
  EXPECT_EQ(row.data(), "conv2d");
  EXPECT_EQ(row.parent().data(), "conv1");
  EXPECT_EQ(row.parent().parent().data(), "features");
  EXPECT_FALSE(row.parent().parent().parent().isValid());
}

TEST_F(ModuleTrees, BeginWithTheHeaviest) {
  double last = 1.0;
  for (int row = 0; row < model_.rowCount(); ++row) {
    const double share = model_.index(row, 1).data(MarkedTree::HeatRole).toDouble();
    EXPECT_LE(share, last);
    last = share;
  }
}

TEST_F(ModuleTrees, SayAllOfACallSite) {
  const QString tip = rowOf("features.conv1/conv2d").data(Qt::ToolTipRole).toString();
  for (const char* part : {"features.conv1/conv2d\n", "of the area", "loss impact 1.6e-02", "f32 → f16, 12 calls"})
    EXPECT_TRUE(tip.contains(part)) << part << " in:\n" << tip.toStdString();
}

TEST_F(ModuleTrees, NeverTakeATextOfAReportForHtml) {
  queries::OpRow row = *sites_.sites.front().row;
  row.call_site = row.op = "<b>mm</b>";
  row.module = "<i>net</i>";
  const PicturedSites sites{.owner = sites_.owner, .sites = {{.row = &row}}};
  model_.show(modulePicture(sites, {}, kTimeMeasure), kTimeMeasure);
  const QModelIndex module = model_.index(0, 0);
  EXPECT_FALSE(module.data(Qt::ToolTipRole).toString().contains("<i>"));
  EXPECT_FALSE(model_.index(0, 0, module).data(Qt::ToolTipRole).toString().contains("<b>"));
}

}  // namespace module_tree_model_test
}  // namespace ampprof::gui
