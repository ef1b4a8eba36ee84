// SPDX-License-Identifier: Apache-2.0
// What two runs are compared by, op call by op call: a sketch of its outputs, and whether its inputs were the same.

#include <ATen/ATen.h>

#include <algorithm>
#include <atomic>
#include <optional>

#include "precision/reference/reference.h"
#include "precision/sketch/sketch.h"
#include "precision/tensors/known_checksums.h"
#include "precision/tensors/plain_memory.h"
#include "precision/tensors/sketch_of.h"
#include "profiler/calls/call.h"
#include "profiler/recorder/missing_notes.h"
#include "profiler/recorder/recorder.h"
#include "profiler/stages/stage_context.h"
#include "profiler/stages/stages.h"

namespace ampprof::profiler {
namespace {

class SketchStage : public Stage {
 public:
  explicit SketchStage(const StageContext& context) : context_(context) {}

  bool wants(const OpInfo& info) const override { return info.returns_tensor && !info.leaves_memory_unset; }

  void before(Call& call) override {
    if (!call.deep) return;
    if (last_substep_.exchange(call.record.substep) != call.record.substep) known_.clear();
    call.written = reference::written_arguments(call.op, call.arguments());
    if (call.info.may_be_view && !call.info.writes_first) {
      call.may_be_viewed = call.arguments().vec();  // asked for when it turns out to be none
    } else {
      call.inputs_checksum = checksum_of(call.arguments());
    }
  }

  void after(Call& call) override {
    if (!call.deep) return;
    forget_written(call);
    const std::vector<at::Tensor> outputs = reference::tensors_in(call.results());
    if (call.info.may_be_view && std::ranges::all_of(outputs, [&](const at::Tensor& y) { return is_view(call, y); })) {
      return;
    }
    if (!call.may_be_viewed.empty()) call.inputs_checksum = checksum_of(call.may_be_viewed);
    std::optional<Sketch> sketch = tensors::sketch_of(outputs);
    if (!sketch) return note_unread();
    if (sketch->elements == 0) return;
    sketch->substep = call.record.substep;
    sketch->call_site = call.record.call_site;
    sketch->inputs = call.inputs_checksum;
    if (outputs.size() == 1 && tensors::is_measurable(outputs.front())) {
      known_.put(outputs.front(), static_cast<std::uint64_t>(sketch->checksum));
    }
    context_.recorder.add([&](Batch& batch) { batch.sketches.push_back(*sketch); });
  }

 private:
  std::int64_t checksum_of(c10::ArrayRef<c10::IValue> arguments) {
    std::uint64_t inputs = 0;
    for_each_tensor(arguments, [&](const at::Tensor& input) { inputs = sketch::combined(inputs, known_.of(input)); });
    return static_cast<std::int64_t>(inputs);
  }

  /// What a compiled region writes nobody says.
  void forget_written(const Call& call) {
    if (call.info.is_compiled_region) known_.clear();
    for_each_tensor(call.written, [&](const at::Tensor& written) { known_.forget(written); });
  }

  /// What lies in an argument's memory is that argument's, and may never have been set.
  static bool is_view(const Call& call, const at::Tensor& output) {
    bool shares = false;
    for_each_tensor(call.may_be_viewed, [&](const at::Tensor& input) {
      shares = shares || (input.has_storage() && output.defined() && output.has_storage() && input.is_alias_of(output));
    });
    return shares;
  }

  void note_unread() {
    context_.missing.note("sketches of op calls", "tensors on a device, or without memory of their own",
                          "compare runs on the CPU");
  }

  const StageContext context_;
  tensors::KnownChecksums known_;  ///< of this substep: programs may write into a batch's memory between two
  std::atomic<std::int64_t> last_substep_{-1};
};

}  // namespace

std::unique_ptr<Stage> make_sketch_stage(const StageContext& context) { return std::make_unique<SketchStage>(context); }

}  // namespace ampprof::profiler
