// SPDX-License-Identifier: Apache-2.0
// The program's own memory: looked at before each call, when none of the tool's copies is alive. Their peak would hide
// what the levels differ in, since FP32 calls need no copies.

#include "profiler/memory/resident_memory.h"
#include "profiler/stages/stage_context.h"
#include "profiler/stages/stages.h"

namespace ampprof::profiler {
namespace {

class MemoryStage : public Stage {
 public:
  explicit MemoryStage(const StageContext& context) : context_(context) {}

  void before(Call&) override { context_.memory.see(resident_bytes()); }

 private:
  const StageContext context_;
};

}  // namespace

std::unique_ptr<Stage> make_memory_stage(const StageContext& context) { return std::make_unique<MemoryStage>(context); }

}  // namespace ampprof::profiler
