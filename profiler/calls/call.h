// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/ivalue.h>
#include <ATen/core/stack.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "precision/replay/reference/reference.h"
#include "profiler/calls/op_info.h"
#include "profiler/calls/output_figures.h"
#include "profiler/calls/output_pair.h"
#include "profiler/calls/pending_call.h"
#include "profiler/calls/thread_state.h"
#include "profiler/source/code_place.h"
#include "profiler/torch_hooks/one_element_products.h"
#include "reports/records/op_call.h"

namespace ampprof::profiler {

/// A multiplication of one value, which may be that of a loss by its scale.
struct LossMultiplication {
  OneElementProducts::Operand operand;
  LossFactor factor;
};

/// Where a call is: in the modules, in a training loop, in autograd's graph.
struct CallPlace {
  std::int32_t module = 0;       ///< id of the module path
  CodePlace code{};              ///< that makes it, in Python; of a backward call the line of its forward call alone
  TrainingLoop* loop = nullptr;  ///< the steps that it is part of
  /// The call site whose errors these are: its own, or of a recomputed call that of its first run.
  std::int64_t error_site = 0;
  std::optional<std::int64_t> micro_batch{};  ///< backward pass of the segment that it is of, from 1
  std::uint64_t first_node = 0;               ///< sequence number of the next autograd node when the call began
  std::optional<LossMultiplication> multiplication{};
  std::optional<std::size_t> on_trail{};  ///< place of a call that is not recorded on the trail of its step
  std::int64_t held = 0;  ///< number that stands for its segment, if it is held between two steps (BetweenSteps)
};

/// Whether stages may look at the tensors of a call.
struct CallAccess {
  bool is_on_gpu = false;   ///< an argument is on a GPU, or names one
  bool is_readable = true;  ///< false where tensors cannot be read or a stage has failed: no stage looks any more
  bool has_async_host_copy = false;  ///< what of its results is in the host's memory may be a copy that is under way
  bool has_memory_budget = true;     ///< false where its GPU has no memory left for copies
};

/// One op call on its way through the observer. Lives on the calling thread's stack.
struct CallContext {
  const c10::OperatorHandle& op;
  const OpInfo& info;
  torch::jit::Stack& stack;
  ThreadState& thread;
  Phase phase = Phase::Forward;
  CallPlace place{};
  CallAccess access{};
  bool sampled = false;      ///< this step has loss impact too, if it was asked for
  bool followed = false;     ///< likewise inherited error and gradient impact
  bool in_full = false;      ///< likewise costly figures, of which few steps are enough
  bool has_replays = false;  ///< replays of the step run this call too
  OpCall record{};           ///< filled in by the observer and the stages, then recorded

  /// Returns what says where the call is in the steps, as it is recorded.
  std::int64_t recorded_segment() const { return place.held != 0 ? place.held : record.segment; }
  /// Returns the arguments. Only before the op ran.
  c10::ArrayRef<c10::IValue> arguments() const { return torch::jit::last(stack, info.arguments); }
  /// Returns the results. Only after the op ran.
  c10::ArrayRef<c10::IValue> results() const { return torch::jit::last(stack, info.results); }
};

/// A call that stages look at. Most calls of a run without values are bare: to make and drop this would be much of what
/// recording them costs.
struct Call : CallContext {
  reference::SavedCall saved{};  ///< as it was before it ran; the error stage saves it
  /// Holds `saved` with stale casts in the place of their operands, if there are any; the stage of stale casts sets it.
  std::optional<reference::SavedCall> with_stale_casts{};
  std::vector<OutputPair> pairs{};   ///< outputs in two precisions, from the error stage
  OutputFigures figures{};           ///< from the error stage
  std::int64_t replayed_leaves = 0;  ///< leaf ops inside that replays of the step ran
  StageCalls stages{};

  /// Returns the call with the values that it computed with.
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
