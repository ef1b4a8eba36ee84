// SPDX-License-Identifier: Apache-2.0
// Errors of backward calls: keeps each with the tensor whose cotangent it is in, until the step is finished.

#include <ATen/ATen.h>

#include "precision/impact/difference.h"
#include "precision/tensors/observer_disabled_guard.h"
#include "profiler/calls/call.h"
#include "profiler/gradient_impact/gradient_replays.h"
#include "profiler/stages/stage_context.h"
#include "profiler/stages/stages.h"
#include "profiler/torch_hooks/backward_pass.h"
#include "profiler/torch_hooks/torch_state.h"

namespace ampprof::profiler {
namespace {

class GradientImpactStage : public Stage {
 public:
  explicit GradientImpactStage(const StageContext& context)
      : steps_(*context.gradient_replays), course_(context.course) {}

  bool wants(const OpInfo& info) const override { return info.returns_tensor || info.is_collective; }

  void after(Call& call) override {
    const bool tells = !call.pairs.empty() || call.info.is_collective;
    if (call.phase != Phase::Backward || !call.sampled || !tells || !is_of_loss()) return;
    const auto step = steps_.current();
    if (step == nullptr) return;
    if (call.info.is_collective) step->backward_collective();
    for (OutputPair& compared : call.pairs) {
      const std::int64_t call_site = call.record.call_site;
      for (GradientProduct& product : compared.products) {
        const ErrorSource source{call_site, product.matmul, course_};
        step->backward_matmul(current_node(), source, std::move(product));
      }
      if (compared.matmul != Matmul::None) continue;
      const at::Tensor error = compared.is_equal ? at::Tensor() : impact::difference(compared.low, compared.high);
      step->backward_call(current_node(), {call_site, Matmul::None, course_}, compared.output, error,
                          call.saved.arguments);
    }
  }

 private:
  static bool is_of_loss() {
    const BackwardPass* pass = current_pass();
    return pass == nullptr || pass->is_of_loss;
  }

  GradientReplays& steps_;
  const std::size_t course_;
};

}  // namespace

std::unique_ptr<Stage> make_gradient_impact_stage(const StageContext& context) {
  return std::make_unique<GradientImpactStage>(context);
}

}  // namespace ampprof::profiler
