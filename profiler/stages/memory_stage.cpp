// SPDX-License-Identifier: Apache-2.0
// The program's own memory: looked at before each call, when none of the tool's copies is alive. Their peak would hide
// what the levels differ in, since FP32 calls need no copies.

#include "profiler/memory/resident_memory.h"
#include "profiler/observer/session.h"
#include "profiler/stages/stages.h"

namespace ampprof::profiler {
namespace {

class MemoryStage : public Stage {
 public:
  explicit MemoryStage(Session& session) : session_(session) {}

  void before(Call&) override { session_.memory_seen(resident_bytes()); }

 private:
  Session& session_;
};

}  // namespace

std::unique_ptr<Stage> make_memory_stage(Session& session) { return std::make_unique<MemoryStage>(session); }

}  // namespace ampprof::profiler
