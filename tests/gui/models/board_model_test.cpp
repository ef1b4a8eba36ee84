// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/board_model.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <cmath>

#include "analysis/group.h"
#include "gui/data/report_file.h"
#include "reports/text/usage_error.h"
#include "tests/cli/layered_report.h"
#include "tests/cli/synthetic_report.h"
#include "tests/temporary_folder.h"

namespace ampprof::gui {
namespace board_model_test {

class BoardModels : public testing::Test {
 protected:
  void read(void (*write)(const std::filesystem::path&)) {
    write(folder_.path() / "r.ampprof");
    board_ = ReportFile(folder_.path() / "r.ampprof").board();
    model_.show(board_);
  }

  QModelIndex site(const char* callSite, int column = 0) const { return model_.find(callSite).siblingAtColumn(column); }
  QString text(const char* callSite, BoardModel::Column column) const {
    return site(callSite, column).data().toString();
  }
  QVariant check(const QModelIndex& index) const {
    return index.siblingAtColumn(BoardModel::KeepFp32).data(Qt::CheckStateRole);
  }

  test_support::TemporaryFolder folder_;
  std::shared_ptr<const Board> board_;
  BoardModel model_;
  QAbstractItemModelTester tester_{&model_, QAbstractItemModelTester::FailureReportingMode::Fatal};
};

TEST_F(BoardModels, ShowWhatIsKnownOfACallSite) {
  read(cli::write_synthetic_report);
  const char* conv = "features.conv1/conv2d";
  EXPECT_EQ(text(conv, BoardModel::Site), conv);
  EXPECT_EQ(text(conv, BoardModel::LocalError), "4.9e-04");
  EXPECT_EQ(text(conv, BoardModel::InheritedError), "-");
  EXPECT_EQ(text(conv, BoardModel::LossChange), "1.6e-02");
  EXPECT_EQ(text(conv, BoardModel::Headroom), "14");
  EXPECT_EQ(text(conv, BoardModel::Time), "500 µs");
  EXPECT_EQ(text(conv, BoardModel::Fp32Time), "0 µs");
  EXPECT_EQ(text(conv, BoardModel::TensorCores), "inefficient");
  EXPECT_EQ(text("backward features.conv1/convolution_backward", BoardModel::Overflows), "1");
  EXPECT_EQ(site(conv, BoardModel::LossChange).data(BoardModel::ValueRole).toDouble(), 0x1p-6);
  EXPECT_EQ(site(conv, BoardModel::LossChange).data(Qt::ToolTipRole), "0.015625");
}

TEST_F(BoardModels, ShowTheTimeOfACompiledRegionOnceBesideWhatItCovers) {
  read(cli::write_layered_report);
  advice::Evidence evidence = board_->evidence();
  queries::OpRow region;
  region.op = "torch::compiled_region.0/0";
  region.cpu_us = 1000;
  advice::CompiledRun compiled{evidence.run, {region}};
  compiled.run.recorded_steps = 2;
  evidence.compiled = compiled;
  model_.show(std::make_shared<const Board>(std::move(evidence)));
  int times = 0;
  int covered = 0;
  for (const queries::OpRow& op : board_->evidence().ops) {
    const QString cell = text(op.call_site.c_str(), BoardModel::CompiledTime);
    EXPECT_EQ(cell.endsWith("in 0/0"), op.phase == Phase::Forward) << op.call_site;
    times += cell == "500 µs in 0/0" ? 1 : 0;
    covered += cell == "in 0/0" ? 1 : 0;
  }
  EXPECT_EQ(times, 1);
  EXPECT_GT(covered, 1);
}

TEST_F(BoardModels, MarkAFunctionWithAllItsCallSites) {
  read(cli::write_synthetic_report);
  const QSignalSpy changes(&model_, &BoardModel::chosenChanged);
  model_.toggle(site("features.conv1/conv2d"));
  EXPECT_EQ(changes.size(), 1);
  EXPECT_EQ(model_.chosen().size(), 1u);
  EXPECT_EQ(check(site("features.conv1/conv2d")), Qt::Checked);
  EXPECT_EQ(check(site("backward features.conv1/convolution_backward")), Qt::Checked);
  EXPECT_EQ(check(site("classifier.fc2/linear")), Qt::Unchecked);
  model_.toggle(site("backward features.conv1/convolution_backward"));
  EXPECT_TRUE(model_.chosen().empty());
}

TEST_F(BoardModels, MarkAGroupPartiallyWhereSomeAreMarked) {
  read(cli::write_layered_report);
  model_.arrange(analysis::GroupBy::Class, "");
  const char* first = "encoder.layers.0.attn.out/linear";
  const QModelIndex group = site(first).parent();
  EXPECT_EQ(model_.rowCount(group), 3);
  EXPECT_EQ(check(group), Qt::Unchecked);
  model_.toggle(site(first));
  EXPECT_EQ(check(group), Qt::PartiallyChecked);
  model_.toggle(group);
  EXPECT_EQ(check(group), Qt::Checked);
  EXPECT_EQ(model_.chosen().size(), 3u);
  model_.toggle(group);
  EXPECT_TRUE(model_.chosen().empty());
}

TEST_F(BoardModels, SayWhyACallSiteCannotBeMarked) {
  read(cli::write_synthetic_report);
  const QModelIndex update = site("optimizer features.conv1/add_.Tensor", BoardModel::KeepFp32);
  ASSERT_TRUE(update.isValid());
  EXPECT_FALSE(update.flags() & Qt::ItemIsUserCheckable);
  EXPECT_FALSE(update.data(Qt::CheckStateRole).isValid());
  EXPECT_EQ(update.data(Qt::ToolTipRole), "Only functions that the forward calls can be registered.");
  model_.toggle(update);
  EXPECT_TRUE(model_.chosen().empty());
}

TEST_F(BoardModels, KeepMarksThroughGroupsAndFilters) {
  read(cli::write_layered_report);
  model_.choose(board_->proposed());
  for (const analysis::GroupBy by : {analysis::GroupBy::Module, analysis::GroupBy::Op, analysis::GroupBy::Class}) {
    model_.arrange(by, "");
    int sites = 0;
    for (int group = 0; group < model_.rowCount(); ++group)
      sites += std::max(1, model_.rowCount(model_.index(group, 0)));
    EXPECT_EQ(sites, 9) << "a group of one is its call site";
  }
  model_.arrange(analysis::GroupBy::Module, "mm$|key");
  EXPECT_EQ(model_.rowCount(), 6) << "three modules by name, three by their backward op";
  EXPECT_THROW(model_.arrange(analysis::GroupBy::Op, "("), text::UsageError);
  EXPECT_EQ(model_.rowCount(), 6);
  EXPECT_EQ(model_.chosen(), board_->proposed());
}

TEST_F(BoardModels, AddUpLossChangesAsThePredictionDoes) {
  read(cli::write_layered_report);
  model_.arrange(analysis::GroupBy::Class, "");
  const QModelIndex group = site("encoder.layers.0.attn.out/linear").parent();
  EXPECT_EQ(group.siblingAtColumn(BoardModel::LossChange).data(BoardModel::ValueRole).toDouble(), 6 * 0x1p-10);
  EXPECT_EQ(group.siblingAtColumn(BoardModel::Casts).data().toString(), "12.3 kB");
}

TEST_F(BoardModels, HeatWhatIsWorst) {
  read(cli::write_layered_report);
  const auto heat = [&](const char* callSite, BoardModel::Column column) {
    return site(callSite, column).data(BoardModel::HeatRole);
  };
  EXPECT_EQ(heat("encoder.layers.2.attn.out/linear", BoardModel::LossChange), 1.0);
  EXPECT_LT(heat("encoder.layers.0.attn.out/linear", BoardModel::LossChange).toDouble(), 1.0);
  EXPECT_TRUE(std::isnan(heat("backward encoder.layers.0.attn.out/mm", BoardModel::LossChange).toDouble()));
  EXPECT_EQ(heat("backward encoder.layers.0.attn.out/mm", BoardModel::Headroom), 1.0) << "it passes 65504";
  EXPECT_FALSE(heat("encoder.layers.2.attn.out/linear", BoardModel::Time).isValid());
}

TEST_F(BoardModels, AreSortedWithTheWorstFirst) {
  read(cli::write_layered_report);
  BoardOrder order(model_);
  const QAbstractItemModelTester tester(&order, QAbstractItemModelTester::FailureReportingMode::Fatal);
  order.sort(BoardModel::LossChange, Qt::AscendingOrder);
  EXPECT_EQ(order.index(0, BoardModel::Site).data().toString(), "encoder.layers.2.attn.query_key_value/linear");
  EXPECT_EQ(order.index(order.rowCount() - 1, BoardModel::LossChange).data(), "-") << "what is unknown comes last";
}

TEST_F(BoardModels, ArePutInOrderWithOverflowsBeforeAllElse) {
  read(cli::write_synthetic_report);
  BoardOrder order(model_);
  order.sort(BoardModel::LossChange, Qt::AscendingOrder);
  EXPECT_EQ(order.index(0, BoardModel::Overflows).data(), "1");
  EXPECT_EQ(order.index(1, BoardModel::LossChange).data(), "1.6e-02");
}

TEST_F(BoardModels, AreEmptyWithoutABoard) {
  model_.show(nullptr);
  model_.arrange(analysis::GroupBy::Op, "");
  EXPECT_EQ(model_.rowCount(), 0);
  EXPECT_FALSE(model_.find("conv1/conv2d").isValid());
}

}  // namespace board_model_test
}  // namespace ampprof::gui
