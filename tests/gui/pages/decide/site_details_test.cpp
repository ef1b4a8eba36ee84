// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pages/decide/site_details.h"

#include <gtest/gtest.h>

#include <QLabel>
#include <QSignalSpy>
#include <QTest>
#include <algorithm>

#include "gui/data/board.h"
#include "gui/data/report_file.h"
#include "gui/pages/decide/impact_bar.h"
#include "gui/pages/diagnosis/step_plot.h"
#include "gui/pages/raw/exponent_plot.h"
#include "precision/advice/loss_scale.h"
#include "reports/queries/ops.h"
#include "tests/cli/synthetic_report.h"
#include "tests/temporary_folder.h"

namespace ampprof::gui {
namespace site_details_test {

constexpr int kTimeout = 20'000;  // in ms
constexpr const char* kConv = "features.conv1/conv2d";
constexpr const char* kGradients = "backward features.conv1/convolution_backward";

class DetailsOfSites : public testing::Test {
 protected:
  DetailsOfSites() : file_((cli::write_synthetic_report(path()), std::make_shared<ReportFile>(path()))), pane_(file_) {
    board_ = advisedBoard(*file_);
    pane_.resize(1200, 240);
    pane_.show();
  }

  std::filesystem::path path() const { return folder_.path() / "r.ampprof"; }
  QString text(const QString& name) const {
    for (const auto* label : pane_.findChildren<QLabel*>()) {
      if (label->accessibleName() == name) return label->text();
    }
    return {};
  }
  StepPlot* steps() const { return pane_.findChild<StepPlot*>(); }
  ExponentPlot* exponents() const { return pane_.findChild<ExponentPlot*>(); }

  void show(const std::vector<std::string>& names, const QString& reason = {}) {
    pane_.showSites(sites_named(*board_, names), row(names.front().c_str(), reason));
  }
  static BoardLine row(const char* name, const QString& reason = {}) {
    BoardLine line{.name = name};
    line.tensor_core_reason = reason.toStdString();
    return line;
  }
  void await(const char* name) {
    QSignalSpy shown(&pane_, &SiteDetails::stepsShown);
    show({name});
    ASSERT_TRUE(shown.wait(kTimeout));
  }

  test_support::TemporaryFolder folder_;
  std::shared_ptr<const ReportFile> file_;
  std::shared_ptr<const Board> board_;
  SiteDetails pane_;
};

TEST_F(DetailsOfSites, AskForOne) {
  const auto labels = pane_.findChildren<QLabel*>();
  EXPECT_TRUE(std::ranges::any_of(
      labels, [](const QLabel* label) { return label->isVisible() && label->text() == "Select a call site."; }));
  EXPECT_FALSE(steps()->isVisible());
}

TEST_F(DetailsOfSites, SayWhereItIsAndWhatItComputes) {
  show({kConv}, "Its sizes are multiples of 8.");
  EXPECT_EQ(text("Call site").toStdString(),
            "features.conv1/conv2d\nf32[64,1,28,28] f32[32,1,3,3] f32[32] groups=1, f32 → f16 · 12 "
            "calls");
  EXPECT_EQ(text("Tensor Cores"), "Tensor Cores: Its sizes are multiples of 8.");
  EXPECT_EQ(exponents()->accessibleDescription(), "output (reference)");
}

TEST_F(DetailsOfSites, SayWhetherItRanOnTensorCores) {
  queries::OpRow site = *sites_named(*board_, {kConv}).front();
  const BoardLine line = row(kConv, "Its sizes are multiples of 8.");
  pane_.showSites({&site}, line);
  EXPECT_EQ(text("Ran on Tensor Cores"), "") << "the run saw no GPU";
  site.gpu_us = 30;
  site.activities = {{.name = "sm80_xmma_fprop_implicit_gemm_f16f16_f16f32_f32_nhwckrsc_nhwc_tilesize128x128x32_stage4_"
                              "warpsize2x2x1_g1_tensor16x8x16_execute_kernel__5x_cudnn",
                      .count = 12,
                      .gpu_us = 30}};
  pane_.showSites({&site}, line);
  EXPECT_TRUE(text("Ran on Tensor Cores").startsWith("Ran on Tensor Cores: yes – name("))
      << text("Ran on Tensor Cores").toStdString();
}

TEST_F(DetailsOfSites, ShowGradientsAtTheAdvisedLossScale) {
  queries::OpRow site = *sites_named(*board_, {kGradients}).front();
  site.dtype_out = DType::Half;
  site.scale = 1024;
  site.exponents.emplace().counts[ExponentHistogram::bin_of(17)] = 4;
  const advice::LossScaleAdvice advice{.is_bound = false, .init_scale = 256};
  pane_.showSites({&site}, row(kGradients), &advice);
  EXPECT_TRUE(text("At the advised loss scale")
                  .endsWith("100 % are beyond 65504. At the advised scale, 256, the shares are 0 % and 0 %."))
      << text("At the advised loss scale").toStdString();
  EXPECT_TRUE(exponents()->accessibleDescription().endsWith("at scale 256"));
  pane_.showSites({&site}, row(kGradients));
  EXPECT_EQ(text("At the advised loss scale"), "") << "nothing is advised";
}

TEST_F(DetailsOfSites, ShowErrorsOverSteps) {
  await(kGradients);
  EXPECT_TRUE(steps()->isVisible());
  const QString said = steps()->accessibleDescription();
  EXPECT_TRUE(said.startsWith("12 steps; largest local error: step 1, local error 9.8e-04")) << said.toStdString();
}

TEST_F(DetailsOfSites, SayThatNothingWasMeasured) {
  await("optimizer features.conv1/add_.Tensor");
  EXPECT_EQ(steps()->accessibleDescription(), "No error was measured: the op computes in FP32.");
}

TEST_F(DetailsOfSites, ReadOnlyTheSiteWhereTheSelectionComesToRest) {
  const QSignalSpy shown(&pane_, &SiteDetails::stepsShown);
  for (int i = 0; i < 5; ++i) {
    show({kConv});
    show({kGradients});
  }
  ASSERT_TRUE(QTest::qWaitFor([&] { return !shown.empty(); }, kTimeout));
  QTest::qWait(300);  // twice the delay of the pane
  EXPECT_EQ(shown.size(), 1);
}

TEST_F(DetailsOfSites, OfAGroupArePooled) {
  show({kConv, kGradients});
  EXPECT_EQ(text("Call site"), QString(kConv) + "\n2 call sites · 24 calls");
  EXPECT_FALSE(steps()->isVisible()) << "errors of several call sites do not make a curve";
  EXPECT_TRUE(exponents()->isVisible());
}

TEST_F(DetailsOfSites, AreDrawn) {
  await(kGradients);
  const QImage image = pane_.grab().toImage();
  const QColor bar = pane_.palette().color(QPalette::Highlight);
  bool has_bar = false;
  for (int x = 0; x < image.width(); ++x) {
    for (int y = 0; y < image.height(); ++y) has_bar = has_bar || image.pixelColor(x, y) == bar;
  }
  EXPECT_TRUE(has_bar);
}

TEST_F(DetailsOfSites, SayWhatItDoesToTheLossAndWhatWasRounded) {
  BoardLine line = row(kConv);
  line.loss_change = 3e-5;
  line.impact = {.interval = SizeInterval{2e-5, 4e-5}, .parts = {{"activation", 0.2}, {"weight", 0.8}}};
  pane_.showSites(sites_named(*board_, {kConv}), line);
  EXPECT_TRUE(text("Loss impact").startsWith("Δ loss per step: E 3.0e-05, 90 % interval"));
  const auto* bar = pane_.findChild<ImpactBar*>();
  EXPECT_TRUE(bar->isVisible());
  EXPECT_EQ(bar->accessibleDescription(), "activation 20%, weight 80%");
  show({kGradients});
  EXPECT_FALSE(bar->isVisible()) << "nothing is known of it";
}

}  // namespace site_details_test
}  // namespace ampprof::gui
