// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/ivalue.h>
#include <ATen/core/stack.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "precision/replay/reference/reference.h"
#include "profiler/calls/call_output_statistics.h"
#include "profiler/calls/op_info.h"
#include "profiler/calls/output_pair.h"
#include "profiler/calls/pending_call.h"
#include "profiler/calls/thread_state.h"
#include "profiler/source/code_place.h"
#include "profiler/torch_hooks/one_element_products.h"
#include "reports/records/op_call.h"

namespace ampprof::profiler {

/// A multiplication of a one-element value, which may be a loss times its scale.
struct LossMultiplication {
  OneElementProducts::Operand operand;
  LossFactor factor;
};

/// Locates a call in the modules, in a training loop and in autograd's graph.
struct CallPlace {
  std::int32_t module = 0;       ///< id of the module path
  CodePlace code{};              ///< Python code that makes the call; in backward, only the line of the forward call
  TrainingLoop* loop = nullptr;  ///< the training loop that runs the call
  /// The call site to which errors of the call are attributed: the call's own, or the original call's for a recomputed
  /// call.
  std::int64_t error_site = 0;
  std::optional<std::int64_t> micro_batch{};  ///< number of the call's backward pass in the segment, from 1
  std::uint64_t first_node = 0;               ///< sequence number that the call's first autograd node gets
  std::optional<LossMultiplication> multiplication{};
  std::optional<std::size_t> on_trail{};  ///< index in the step's OutputTrail, for a call that is not recorded
  std::int64_t held = 0;  ///< number that replaces the segment of a call between two steps (BetweenSteps); else 0
};

/// Says whether stages may read the tensors of a call.
struct CallAccess {
  bool is_on_gpu = false;   ///< an argument is a tensor on a GPU, or names a GPU
  bool is_readable = true;  ///< false if tensors cannot be read, or after a stage has failed: stages then skip the call
  bool has_async_host_copy = false;  ///< results in host memory may be copies still in progress
  bool has_memory_budget = true;     ///< false if a GPU has too little free memory for copies
};

/// One op call in the observer. Lives on the calling thread's stack.
struct CallContext {
  const c10::OperatorHandle& op;
  const OpInfo& info;
  torch::jit::Stack& stack;
  ThreadState& thread;
  Phase phase = Phase::Forward;
  CallPlace place{};
  CallAccess access{};
  bool sampled = false;      ///< the call's step measures loss impact, if requested
  bool followed = false;     ///< the call's step measures inherited error and gradient impact, if requested
  bool in_full = false;      ///< the call's step measures costly statistics, for which a few steps are enough
  bool has_replays = false;  ///< replays of the step also run this call
  OpCall record{};           ///< filled in by the observer and the stages, then recorded

  /// Returns the segment to record; for a held call, the number that replaces the segment.
  std::int64_t recorded_segment() const { return place.held != 0 ? place.held : record.segment; }
  /// Returns the arguments. Valid only before the op runs.
  c10::ArrayRef<c10::IValue> arguments() const { return torch::jit::last(stack, info.arguments); }
  /// Returns the results. Valid only after the op has run.
  c10::ArrayRef<c10::IValue> results() const { return torch::jit::last(stack, info.results); }
};

/// A call that stages look at. A call that no stage looks at is a bare CallContext, because constructing and destroying
/// the members below would be much of the cost of recording it.
struct Call : CallContext {
  reference::SavedCall saved{};  ///< the call as it was before the op ran; set by the error stage
  /// A copy of `saved` with the stale casts that the op read as operands; empty if the op read none. Set by the stage
  /// for stale casts.
  std::optional<reference::SavedCall> with_stale_casts{};
  std::vector<OutputPair> pairs{};   ///< outputs in two precisions, from the error stage
  CallOutputStatistics figures{};    ///< statistics of the outputs, from the error stage
  std::int64_t replayed_leaves = 0;  ///< number of leaf ops inside the call that were run by replays of the step
  StageCalls stages{};

  /// Returns the saved call with the operands that the op really read, stale casts included.
  const reference::SavedCall& as_computed() const { return with_stale_casts ? *with_stale_casts : saved; }
};

/// Calls `visit(const at::Tensor&)` for each defined tensor in `values`, members of tensor lists included.
template <typename Visit>
void for_each_tensor(c10::ArrayRef<c10::IValue> values, Visit&& visit) {
  for (const c10::IValue& value : values) {
    if (value.isTensor()) {
      if (const at::Tensor& tensor = value.toTensor(); tensor.defined()) visit(tensor);
    } else if (value.isList()) {
      for (const c10::IValue& member : value.toListRef()) {
        if (member.isNone()) continue;
        if (!member.isTensor()) break;
        if (const at::Tensor& tensor = member.toTensor(); tensor.defined()) visit(tensor);
      }
    }
  }
}

}  // namespace ampprof::profiler
