// SPDX-License-Identifier: Apache-2.0
// Gradient impact: keeps the error of each output of a backward call (a cotangent) until the step ends.
#include <ATen/ATen.h>

#include "precision/impact/difference.h"
#include "profiler/calls/call.h"
#include "profiler/gradient_impact/gradient_replays.h"
#include "profiler/stages/stages.h"
#include "profiler/torch_hooks/backward_pass.h"
#include "profiler/torch_hooks/collective_work.h"
#include "profiler/torch_hooks/torch_state.h"

namespace ampprof::profiler {
namespace {

bool is_of_loss() {
  const BackwardPass* pass = current_pass();
  return pass == nullptr || pass->is_of_loss;
}

class BackwardCall : public StageCall {
 public:
  BackwardCall(GradientReplays& replays, std::size_t run, bool exchanges)
      : replays_(replays), run_(run), exchanges_(exchanges) {}

  void after(Call& call) override {
    const bool tells = !call.pairs.empty() || exchanges_;
    const auto step = tells && is_of_loss() ? replays_.current() : nullptr;
    if (step == nullptr) return;
    if (exchanges_) step->backward_collective();
    for (OutputPair& pair : call.pairs) {
      const std::int64_t call_site = call.record.call_site;
      for (GradientProduct& product : pair.products) {
        const ErrorSource source{call_site, product.matmul, run_};
        step->backward_matmul(current_node(), source, std::move(product));
      }
      if (pair.matmul != Matmul::None) continue;
      const at::Tensor error = pair.is_equal ? at::Tensor() : impact::difference(pair.low, pair.high);
      step->backward_call(current_node(), {call_site, Matmul::None, run_}, pair.output, error, call.saved.arguments);
    }
  }

 private:
  GradientReplays& replays_;
  const std::size_t run_;
  const bool exchanges_;  ///< the call exchanges data with other ranks
};

class GradientImpactStage : public Stage {
 public:
  GradientImpactStage(GradientReplays& replays, std::size_t run) : replays_(replays), run_(run) {}

  bool wants(const OpInfo& info) const override { return info.returns_tensor || info.is_collective; }

  std::unique_ptr<StageCall> begin(Call& call) override {
    if (call.phase != Phase::Backward || !call.followed) return nullptr;
    const bool exchanges = call.info.is_collective && group_of(call.op, call.arguments()).size != 1;
    return std::make_unique<BackwardCall>(replays_, run_, exchanges);
  }

 private:
  GradientReplays& replays_;
  const std::size_t run_;
};

}  // namespace

std::unique_ptr<Stage> make_gradient_impact_stage(GradientReplays& replays, std::size_t run) {
  return std::make_unique<GradientImpactStage>(replays, run);
}

}  // namespace ampprof::profiler
