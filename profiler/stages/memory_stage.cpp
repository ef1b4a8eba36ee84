// SPDX-License-Identifier: Apache-2.0
// The program's own memory: looked at before each call, when none of the tool's copies is alive. Their peak would hide
// what the levels differ in, since FP32 calls need no copies.

#include <ATen/core/Tensor.h>

#include <optional>

#include "precision/tensors/device_memory_budget.h"
#include "profiler/calls/call.h"
#include "profiler/recorder/resident_memory.h"
#include "profiler/stages/stage_context.h"
#include "profiler/stages/stages.h"

namespace ampprof::profiler {
namespace {

class MemoryStage : public Stage {
 public:
  explicit MemoryStage(const StageContext& context) : context_(context) {}

  void before(Call& call) override {
    context_.memory.see(resident_bytes());
    std::optional<c10::DeviceIndex> gpu;
    for_each_tensor(call.arguments(), [&](const at::Tensor& tensor) {
      if (tensor.is_cuda()) gpu = tensor.get_device();
    });
    if (gpu) context_.gpu_memory.see(context_.room.allocated(*gpu));
  }

 private:
  const StageContext context_;
};

}  // namespace

std::unique_ptr<Stage> make_memory_stage(const StageContext& context) { return std::make_unique<MemoryStage>(context); }

}  // namespace ampprof::profiler
