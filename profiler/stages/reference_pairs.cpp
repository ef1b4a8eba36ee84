// SPDX-License-Identifier: Apache-2.0
// Pairs for local error: the outputs, and those of the same call in high precision on the inputs as received.
#include <ATen/ATen.h>

#include "precision/replay/reference/reference.h"
#include "precision/tensors/plain_memory.h"
#include "profiler/calls/call.h"
#include "profiler/recorder/missing_notes.h"
#include "profiler/stages/pair_source.h"

namespace ampprof::profiler {
namespace {

/// Returns whether amp_core's recipe computed the result of this call. The result's type does not show it, since it is
/// FP32 in an FP32 program.
bool ran_in_recipe(const Call& call) {
  const auto results = call.results();
  return call.thread.recipe_result != nullptr && results.size() == 1 && results[0].isTensor() &&
         results[0].toTensor().unsafeGetTensorImpl() == call.thread.recipe_result;
}

class ReferencePairs : public PairSource {
 public:
  ReferencePairs(at::ScalarType precision, MissingNotes& missing) : missing_(missing), reference_(precision) {}

  bool wants(const OpInfo& info) const override { return info.returns_tensor && !info.leaves_memory_unset; }

  void before(Call& call) override {
    if (call.access.has_memory_budget) call.saved = reference_.keep(call.op, call.stack);
  }

  std::optional<Pairs> after(Call& call) override {
    if (!call.access.has_memory_budget) return std::nullopt;
    const reference::Replay result = reference_.run(call.op, call.as_computed(), call.results(), ran_in_recipe(call));
    if (result.outcome == reference::ReplayOutcome::View) return std::nullopt;
    note_if_not_replayed(missing_, call, result);
    Pairs found;
    const std::vector<at::Tensor> outputs = reference::tensors_in(call.results());
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (outputs[i].defined() && outputs[i].is_complex()) note_complex();
      if (!tensors::is_measurable(outputs[i])) continue;
      const at::Tensor reference = i < result.outputs.size() ? result.outputs[i] : at::Tensor();
      found.pairs.push_back({.output = outputs[i], .low = outputs[i], .high = reference});
    }
    return found;
  }

 private:
  void note_complex() {
    missing_.note("values of op calls", "tensors of complex numbers",
                  "they are counted and timed; judge them by the ops around them");
  }

  MissingNotes& missing_;
  const reference::Reference reference_;
};

}  // namespace

void note_if_not_replayed(MissingNotes& missing, const Call& call, const reference::Replay& result) {
  constexpr const char* kJudge = "its ranges are recorded; judge it by the ops around it";
  switch (result.outcome) {
    case reference::ReplayOutcome::Random:
      return missing.note("local error of op calls", call.info.name + " is random",
                          "its ranges are recorded; its error shows only in the ops around it");
    case reference::ReplayOutcome::Unsupported:
    case reference::ReplayOutcome::Failed:
      return missing.note("local error of op calls", call.info.name + ": " + result.reason, kJudge);
    default:
      return;
  }
}

std::unique_ptr<PairSource> reference_pairs(at::ScalarType precision, MissingNotes& missing) {
  return std::make_unique<ReferencePairs>(precision, missing);
}

}  // namespace ampprof::profiler
