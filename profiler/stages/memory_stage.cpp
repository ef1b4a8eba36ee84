// SPDX-License-Identifier: Apache-2.0
// Memory: reads the program's own memory before each call, when none of ampprof's copies is alive. The peak of these
// copies would hide the difference between opt levels, since FP32 calls need no copies.

#include <ATen/core/Tensor.h>

#include <optional>

#include "precision/tensors/device_memory_budget.h"
#include "profiler/calls/call.h"
#include "profiler/recorder/resident_memory.h"
#include "profiler/stages/stages.h"

namespace ampprof::profiler {
namespace {

class MemoryStage : public Stage {
 public:
  MemoryStage(ResidentPeak& host, ResidentPeak& gpu, tensors::DeviceMemoryBudget& budget)
      : host_(host), gpu_(gpu), budget_(budget) {}

  std::unique_ptr<StageCall> begin(Call& call) override {
    host_.see(resident_bytes());
    std::optional<c10::DeviceIndex> gpu;
    for_each_tensor(call.arguments(), [&](const at::Tensor& tensor) {
      if (tensor.is_cuda()) gpu = tensor.get_device();
    });
    if (gpu) gpu_.see(budget_.allocated(*gpu));
    return nullptr;
  }

 private:
  ResidentPeak& host_;
  ResidentPeak& gpu_;
  tensors::DeviceMemoryBudget& budget_;
};

}  // namespace

std::unique_ptr<Stage> make_memory_stage(ResidentPeak& host, ResidentPeak& gpu, tensors::DeviceMemoryBudget& budget) {
  return std::make_unique<MemoryStage>(host, gpu, budget);
}

}  // namespace ampprof::profiler
