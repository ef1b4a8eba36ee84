// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/ivalue.h>
#include <ATen/core/stack.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "precision/replay/reference/reference.h"
#include "precision/tensors/call_sketch.h"
#include "profiler/calls/call_statistics.h"
#include "profiler/calls/op_info.h"
#include "profiler/calls/output_pair.h"
#include "profiler/calls/pending_call.h"
#include "profiler/calls/thread_state.h"
#include "profiler/loss/loss_factor.h"
#include "reports/records/collective.h"
#include "reports/records/op_call.h"

namespace ampprof::profiler {

/// One op call on its way through the observer. Lives on the calling thread's stack.
struct CallContext {
  const c10::OperatorHandle& op;
  const OpInfo& info;
  torch::jit::Stack& stack;
  ThreadState& thread;

  Phase phase = Phase::Forward;
  bool is_readable = true;  ///< false where tensors cannot be read or a stage has failed: no stage looks at it any more
  bool on_gpu = false;      ///< an argument is on a GPU, or names one
  bool has_async_host_copy =
      false;                ///< what of its results is in the host's memory may be a copy that is still under way
  bool has_room = true;     ///< false where its GPU has no memory left for copies
  bool sampled = false;     ///< this step has inherited error and loss impact too, if they were asked for
  bool is_followed = false;            ///< a shadow follows this call
  std::uint64_t first_node = 0;        ///< sequence number of the next autograd node when the call began
  std::int32_t module = 0;             ///< id of the module path
  TrainingLoop* loop = nullptr;        ///< the steps that it is part of
  std::optional<LossFactor> factor{};  ///< of a multiplication by one value
  /// The call site whose errors these are: its own, or of a recomputed call that of its first run.
  std::int64_t error_site = 0;
  OpCall record{};  ///< filled in by the observer and the stages, then recorded

  /// Returns the arguments. Only before the op ran.
  c10::ArrayRef<c10::IValue> arguments() const { return torch::jit::last(stack, info.arguments); }
  /// Returns the results. Only after the op ran.
  c10::ArrayRef<c10::IValue> results() const { return torch::jit::last(stack, info.results); }
};

/// A call that began a collective.
struct SeenCollective {
  CollectiveCall row{};
  bool is_on_gpu = false;
  std::vector<at::Tensor> sketched{};  ///< what it reduces in place, where a sketch was made of that
  std::vector<c10::IValue> works{};    ///< that it began, where it gives back tensors instead
};

/// A call that stages look at, with what they keep and find. Most calls of a run without values are bare: to make and
/// drop this would be much of what recording them costs.
struct Call : CallContext {
  CallStatistics local{};      ///< of its outputs against their reference
  CallStatistics inherited{};  ///< of its outputs against the shadow
  std::vector<CallStatistics> further{};  ///< as `local`, in further courses; none where nothing differs
  bool has_ranges_alone = false;          ///< its outputs were measured, and compared with nothing
  TensorsOfCall tensors{};
  std::optional<SeenCollective> collective{};
  std::optional<TakenValues> taken{};  ///< where the call overwrites what it takes, and no copy is kept

  /// The call as it was before it ran, where a stage asked to keep it.
  reference::SavedCall kept{};
  /// Holds what the call would have given in high precision, where the observer has had it run again itself.
  std::optional<reference::Replay> rerun{};
  /// Outputs and their references, where a stage compared them.
  std::vector<OutputPair> compared{};
  /// Arguments themselves, not copies, where a stage wants to see afterwards what the op wrote into them.
  std::vector<c10::IValue> handles{};
  /// The tensors that an optimizer's call writes, and the call as it was, where one of them is a weight.
  std::vector<at::Tensor> weights{};
  reference::SavedCall weights_kept{};
  std::vector<PendingUpdate> updates{};  ///< of these, where their figures come later
  std::int64_t leaves_followed = 0;      ///< leaf ops inside that the shadow ran
  bool is_sketched = false;              ///< a stage makes a sketch of what it received and gives
  tensors::CallSketch sketch{};          ///< that one, until it is recorded
  /// Sketches of its outputs that were made as they were measured, in the order of those; null for the others.
  std::vector<tensors::LateSketch> outputs_sketched{};
  std::vector<c10::IValue> may_be_viewed{};  ///< arguments, where one is made if the outputs are no view of these
  std::vector<c10::IValue> written{};        ///< arguments that the call writes, where a stage wants them
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
