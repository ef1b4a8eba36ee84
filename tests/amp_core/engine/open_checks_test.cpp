// SPDX-License-Identifier: Apache-2.0
#include "amp_core/engine/open_checks.h"

#include <gtest/gtest.h>
#include <torch/nn/module.h>
#include <torch/types.h>

#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "amp_core/amp.h"
#include "amp_core/base/listener.h"
#include "amp_core/optimizers.h"

namespace amp {
namespace open_checks_test {

struct LayerImpl : torch::nn::Module {
  at::Tensor forward(const at::Tensor& x) { return x * weight; }

  at::Tensor weight = register_parameter("weight", torch::arange(1, 5, torch::kFloat) / 4);
};
TORCH_MODULE(Layer);

/// Logs events of the engine.
class Diary : public Listener {
 public:
  Diary() { add_listener(this); }
  ~Diary() override { remove_listener(this); }

  void overflowed(const Overflow& overflow) override {
    text << "overflow " << overflow.scale_before << " to " << overflow.scale_after << (overflow.skipped ? " skips, " : ", ")
         << overflow.gradients.size() << " gradient " << overflow.gradients.front().gradient->view(-1)[0].item<double>()
         << "; ";
  }
  void scale_updated(int, double before, double after, bool) override { text << before << " to " << after << "; "; }
  void step_begun(const void*) override { text << "step"; }
  void step_ended(const void*, bool skipped) override { text << (skipped ? " skipped\n" : "\n"); }

  std::ostringstream text;
};

class OpenChecks : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override { leave_checks_open_on_cpu(true); }
  void TearDown() override {
    shutdown();
    leave_checks_open_on_cpu(false);
  }

  /// Returns the results, weights, messages and final scale of four steps. The second step overflows.
  static std::string trained() {
    Layer layer;
    FusedSGD optimizer(layer->parameters(), FusedSGDOptions(0.25));
    testing::internal::CaptureStdout();
    initialize(layer, optimizer, {.opt_level = GetParam(), .loss_scale = "dynamic", .init_scale = 8.0});
    std::ostringstream seen;
    for (int i = 0; i < 4; ++i) {
      optimizer.zero_grad();
      const auto backward = [&](const at::Tensor& scaled) {
        scaled.backward();
        if (i == 1) layer->weight.mutable_grad()[0] = INFINITY;
      };
      scale_loss(forward(layer, torch::ones({4})).to(torch::kFloat).pow(2).sum(), optimizer, backward);
      const std::string said_before = testing::internal::GetCapturedStdout();
      testing::internal::CaptureStdout();
      seen << said_before << step(optimizer) << ' ' << layer->weight.to(torch::kFloat) << '\n';
    }
    const double scale = loss_scale();
    seen << testing::internal::GetCapturedStdout() << scale;
    shutdown();
    return seen.str();
  }
};

INSTANTIATE_TEST_SUITE_P(Levels, OpenChecks, testing::Values("O1", "O2"), [](const auto& info) { return info.param; });

TEST_P(OpenChecks, AListenerChangesNeitherAnswersNorTheirTime) {
  const std::string alone = trained();
  EXPECT_NE(alone.find("Gradient overflow"), std::string::npos) << alone;
  const Diary diary;
  EXPECT_EQ(trained(), alone);
}

TEST_P(OpenChecks, AListenerIsCalledBeforeTheStep) {
  const Diary diary;
  trained();
  EXPECT_EQ(diary.text.str(),
            "8 to 8; step\n"
            "overflow 8 to 4 skips, 1 gradient inf; 8 to 4; step skipped\n"
            "4 to 4; step\n"
            "4 to 4; step\n");
}

}  // namespace open_checks_test
}  // namespace amp
