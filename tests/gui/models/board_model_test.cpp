// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/models/board_model.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "analysis/ops/group.h"
#include "gui/data/board.h"
#include "gui/data/prediction.h"
#include "gui/data/report_file.h"
#include "gui/models/board_order.h"
#include "precision/advice/evidence.h"
#include "reports/queries/ops.h"
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
    board_ = advisedBoard(ReportFile(folder_.path() / "r.ampprof"));
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

TEST_F(BoardModels, ShowTheFiguresOfACallSite) {
  read(cli::write_synthetic_report);
  const char* conv = "features.conv1/conv2d";
  EXPECT_EQ(text(conv, BoardModel::Site), conv);
  EXPECT_EQ(text(conv, BoardModel::LocalError), "4.9e-04");
  EXPECT_EQ(text(conv, BoardModel::InheritedError), "-");
  EXPECT_EQ(text(conv, BoardModel::LossChange), "1.6e-02");
  EXPECT_EQ(text(conv, BoardModel::Headroom), "14.0");
  EXPECT_EQ(text(conv, BoardModel::Time), "500 µs");
  EXPECT_EQ(text(conv, BoardModel::Fp32Time), "0 µs");
  EXPECT_EQ(text(conv, BoardModel::TensorCores), "inefficient");
  EXPECT_EQ(text("backward features.conv1/convolution_backward", BoardModel::Overflows), "1");
  EXPECT_EQ(site(conv, BoardModel::LossChange).data(BoardModel::ValueRole).toDouble(), 0x1p-6);
  EXPECT_EQ(site(conv, BoardModel::LossChange).data(Qt::ToolTipRole), "0.015625");
}

TEST_F(BoardModels, ShowTheTimeOfACompiledRegionOnceForItsOps) {
  read(cli::write_layered_report);
  advice::Evidence evidence = board_->evidence();
  queries::OpRow region;
  region.op = "torch::compiled_region.0/0";
  region.cpu_us = 1000;
  evidence.compiled = advice::CompiledRun{.recorded_steps = 2, .ops = {region}};
  model_.show(std::make_shared<const Board>(board_->run(), std::move(evidence)));
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
  const QSignalSpy changes(&model_, &BoardModel::keptChanged);
  model_.toggle(site("features.conv1/conv2d"));
  EXPECT_EQ(changes.size(), 1);
  EXPECT_EQ(model_.kept().size(), 1u);
  EXPECT_EQ(check(site("features.conv1/conv2d")), Qt::Checked);
  EXPECT_EQ(check(site("backward features.conv1/convolution_backward")), Qt::Checked);
  EXPECT_EQ(check(site("classifier.fc2/linear")), Qt::Unchecked);
  model_.toggle(site("backward features.conv1/convolution_backward"));
  EXPECT_TRUE(model_.kept().empty());
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
  EXPECT_EQ(model_.kept().size(), 3u);
  model_.toggle(group);
  EXPECT_TRUE(model_.kept().empty());
}

TEST_F(BoardModels, SayWhyACallSiteCannotBeMarked) {
  read(cli::write_synthetic_report);
  const QModelIndex update = site("optimizer features.conv1/add_.Tensor", BoardModel::KeepFp32);
  ASSERT_TRUE(update.isValid());
  EXPECT_FALSE(update.flags() & Qt::ItemIsUserCheckable);
  EXPECT_FALSE(update.data(Qt::CheckStateRole).isValid());
  EXPECT_EQ(update.data(Qt::ToolTipRole), "Only functions that the forward pass calls can be registered.");
  model_.toggle(update);
  EXPECT_TRUE(model_.kept().empty());
}

TEST_F(BoardModels, KeepMarksThroughGroupsAndFilters) {
  read(cli::write_layered_report);
  model_.keep(board_->proposed());
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
  EXPECT_EQ(model_.kept(), board_->proposed());
}

TEST_F(BoardModels, AddUpLossChangesAsThePredictionDoes) {
  read(cli::write_layered_report);
  model_.arrange(analysis::GroupBy::Class, "");
  const QModelIndex group = site("encoder.layers.0.attn.out/linear").parent();
  EXPECT_EQ(group.siblingAtColumn(BoardModel::LossChange).data(BoardModel::ValueRole).toDouble(), 6 * 0x1p-10);
  EXPECT_EQ(group.siblingAtColumn(BoardModel::Casts).data().toString(), "12.3 kB");
}

TEST_F(BoardModels, HeatTheWorstCallSites) {
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

TEST_F(BoardModels, SayTheOrderThatTheyAreIn) {
  read(cli::write_synthetic_report);
  BoardOrder order(model_);
  EXPECT_EQ(order.sentence(BoardOrdering::Estimate), "In program order.");
  for (const int column : {BoardModel::LossChange, BoardModel::Rank}) {
    order.sort(column, Qt::AscendingOrder);
    EXPECT_EQ(
        order.sentence(BoardOrdering::Estimate).toStdString(),
        "Rows with overflows come first. Otherwise sorted by E, the expected loss impact (RMS) per step, the largest "
        "first. \"=\" marks a tie.");
  }
  EXPECT_TRUE(order.sentence(BoardOrdering::SignedChange).contains("no E"));
  order.sort(BoardModel::LossChange, Qt::DescendingOrder);
  EXPECT_TRUE(order.sentence(BoardOrdering::Estimate).startsWith("Rows with overflows come last."));
  order.sort(BoardModel::LocalError, Qt::AscendingOrder);
  EXPECT_EQ(order.sentence(BoardOrdering::Estimate), "Sorted by local error, the largest first.");
  EXPECT_TRUE(order.sentence(BoardOrdering::LocalError).endsWith("record with --impact."));
  order.sort(BoardModel::Site, Qt::DescendingOrder);
  EXPECT_EQ(order.sentence(BoardOrdering::Estimate), "Sorted by call site, from Z to A.");
}

TEST_F(BoardModels, AreEmptyWithoutABoard) {
  model_.show(nullptr);
  model_.arrange(analysis::GroupBy::Op, "");
  EXPECT_EQ(model_.rowCount(), 0);
  EXPECT_FALSE(model_.find("conv1/conv2d").isValid());
}

/// Gives forward ops an expected loss impact (E), as if it had been recorded.
class BoardsWithEstimates : public BoardModels {
 protected:
  BoardsWithEstimates() {
    read(cli::write_layered_report);
    advice::Evidence evidence = board_->evidence();
    double size = 1.0;
    for (queries::OpRow& op : evidence.ops) {
      if (op.phase != Phase::Forward) continue;
      op.loss_impact_size = size;
      op.loss_impact_is_signed = false;
      op.impact_squares = {.activation = size * size / 4, .weight = 3 * size * size / 4, .output = 0.0};
      op.impact_by_step = {{.step = 2, .change = 0.5 * size, .square = size * size},
                           {.step = 4, .change = -0.4 * size, .square = size * size}};
      size *= size == 1.0 ? 1.05 : 4.0;
    }
    board_ = std::make_shared<const Board>(board_->run(), std::move(evidence));
    model_.show(board_);
    model_.arrange(analysis::GroupBy::Class, "");
  }

  static constexpr const char* kLargest = "encoder.layers.2.attn.out/linear";
  static constexpr const char* kTied[] = {"encoder.layers.0.attn.query_key_value/linear",
                                          "encoder.layers.0.attn.out/linear"};
};

TEST_F(BoardModels, FillBackwardRowsWithWhatTheyDoToTheDecreaseOfTheLoss) {
  read(cli::write_layered_report);
  advice::Evidence evidence = board_->evidence();
  std::vector<queries::OpRow*> chosen;
  for (queries::OpRow& op : evidence.ops) {
    op.loss_impact = op.loss_impact_size = std::nullopt;
    const bool is_alike = chosen.empty() || op.op == chosen.front()->op;
    if (op.phase == Phase::Backward && is_alike && chosen.size() < 2) chosen.push_back(&op);
  }
  ASSERT_EQ(chosen.size(), 2U);
  chosen[0]->gradient_impact_size = 3.0;
  chosen[1]->gradient_impact_size = 4.0;
  chosen[0]->gradient_impact = chosen[1]->gradient_impact = -1.0;
  const std::string first = chosen[0]->call_site;
  board_ = std::make_shared<const Board>(board_->run(), std::move(evidence));
  model_.show(board_);
  const QModelIndex cell = model_.find(QString::fromStdString(first)).siblingAtColumn(BoardModel::LossChange);
  EXPECT_EQ(cell.data(), "3.0e+00");
  EXPECT_EQ(cell.data(Qt::ToolTipRole), "3");
  EXPECT_EQ(impactText(model_.line(cell)), "Δ of the loss decrease per step: 3.0e+00; mean -1.0e+00");
  model_.arrange(analysis::GroupBy::Op, "");
  double largest = 0;
  for (int row = 0; row < model_.rowCount(); ++row) {
    largest = std::max(largest, model_.line(model_.index(row, 0)).loss_change.value_or(0));
  }
  EXPECT_EQ(largest, 5.0) << "of a group in quadrature";
}

TEST_F(BoardsWithEstimates, SayThatTheyAreOrderedByE) {
  EXPECT_EQ(model_.ordering(), BoardOrdering::Estimate);
  EXPECT_EQ(model_.headerData(BoardModel::LossChange, Qt::Horizontal).toString(), "Δ loss: E");
  EXPECT_EQ(model_.headerData(BoardModel::LossChange, Qt::Horizontal, Qt::EditRole).toString(), "Δ loss");
  read(cli::write_layered_report);
  EXPECT_EQ(model_.headerData(BoardModel::LossChange, Qt::Horizontal).toString(), "Δ loss: rms");
}

TEST_F(BoardsWithEstimates, ShowTiesAsTies) {
  model_.arrange(analysis::GroupBy::Op, "");
  EXPECT_EQ(text(kLargest, BoardModel::Rank), "1");
  for (const char* tied : kTied) {
    EXPECT_EQ(text(tied, BoardModel::Rank), "5=");
    EXPECT_EQ(site(tied, BoardModel::Rank).data(BoardModel::TieRole).toInt(), 5);
  }
  EXPECT_FALSE(site(kLargest, BoardModel::Rank).data(BoardModel::TieRole).isValid());
  EXPECT_EQ(text("backward encoder.layers.0.attn.out/mm", BoardModel::Rank), "-");
}

TEST_F(BoardsWithEstimates, ShowHowSureTheyAre) {
  EXPECT_EQ(text(kLargest, BoardModel::MeanChange), "within noise");
  EXPECT_TRUE(std::isnan(site(kLargest, BoardModel::MeanChange).data(BoardModel::HeatRole).toDouble())) << "grey";
  const auto ends = site(kLargest, BoardModel::LossChange).data(BoardModel::WhiskerRole);
  ASSERT_TRUE(ends.isValid());
  const double length = site(kLargest, BoardModel::LossChange).data(BoardModel::HeatRole).toDouble();
  EXPECT_LT(ends.toPointF().x(), length);
  EXPECT_GT(ends.toPointF().y(), length);
  EXPECT_FALSE(site(kLargest, BoardModel::Overflows).data(BoardModel::WhiskerRole).isValid());
}

TEST_F(BoardsWithEstimates, SayWhatWasRounded) {
  EXPECT_EQ(text(kLargest, BoardModel::Rounded), "weight 75%");
  const QVariantList parts = site(kLargest, BoardModel::Rounded).data(BoardModel::PartsRole).toList();
  ASSERT_EQ(parts.size(), 3);
  EXPECT_DOUBLE_EQ(parts[1].toDouble(), 0.75);
  EXPECT_EQ(text("backward encoder.layers.0.attn.out/mm", BoardModel::Rounded), "-");
}

TEST_F(BoardsWithEstimates, PoolGroupsByTheirSquares) {
  const QModelIndex group = site(kLargest).parent();
  ASSERT_TRUE(group.isValid());
  EXPECT_EQ(group.siblingAtColumn(BoardModel::Rounded).data().toString(), "weight 75%");
  EXPECT_EQ(group.siblingAtColumn(BoardModel::Rank).data().toString(), "1");
}

TEST_F(BoardsWithEstimates, AreOrderedByRankAsByTheirChange) {
  model_.arrange(analysis::GroupBy::Op, "");
  BoardOrder order(model_);
  order.sort(BoardModel::Rank, Qt::AscendingOrder);
  const QModelIndex group = order.mapFromSource(site(kLargest).parent());
  EXPECT_EQ(order.index(0, 0, group).data().toString(), kLargest);
}

}  // namespace board_model_test
}  // namespace ampprof::gui
