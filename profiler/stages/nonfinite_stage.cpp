// SPDX-License-Identifier: Apache-2.0
// Finds the call that first turned finite inputs into NaN or inf, and the calls that it spread through.

#include <ATen/ATen.h>

#include <algorithm>
#include <limits>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "precision/tensors/dtype_of.h"
#include "precision/tensors/measure.h"
#include "profiler/calls/call.h"
#include "profiler/calls/pending_call.h"
#include "profiler/overflow/nonfinite_trace.h"
#include "profiler/overflow/received_memory.h"
#include "profiler/stages/stage_context.h"
#include "profiler/stages/stages.h"

namespace ampprof::profiler {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// `tensor`: null where it is gone.
void add(TakenValues& taken, const c10::TensorImpl* tensor, const error::OutputStatistics& measured) {
  taken.minus_infinity = taken.minus_infinity || measured.minus_infinite > 0;
  if (measured.ranges.nonfinite == 0) return;
  taken.all_finite = false;
  if (tensor != nullptr) taken.memory.push_back(ReceivedMemory::of(*tensor));
}

bool takes_minus_infinity(c10::ArrayRef<c10::IValue> arguments) {
  return std::ranges::any_of(arguments, [](const c10::IValue& value) {
    return value.isScalar() && value.toScalar().isFloatingPoint() && value.toScalar().toDouble() == -kInfinity;
  });
}

TakenValues look_at(c10::ArrayRef<c10::IValue> arguments) {
  TakenValues taken{.minus_infinity = takes_minus_infinity(arguments)};
  for_each_tensor(arguments, [&](const at::Tensor& tensor) {
    add(taken, tensor.unsafeGetTensorImpl(), tensors::measure(tensor, at::Tensor()));
  });
  return taken;
}

/// What was taken of arguments that the call wrote lies in copies; their own memory is that of the results.
TakenValues look_at_kept(const Call& call) {
  TakenValues taken = look_at(call.saved.arguments);
  if (taken.all_finite || !call.saved.has_copies) return taken;
  for_each_tensor(call.results(), [&](const at::Tensor& tensor) {
    taken.memory.push_back(ReceivedMemory::of(*tensor.unsafeGetTensorImpl()));
  });
  return taken;
}

/// Whether the results have the type of the arguments. One that to() converts may overflow.
bool keeps_type(const Call& call) {
  bool keeps = true;
  for_each_tensor(call.results(), [&](const at::Tensor& tensor) {
    keeps = keeps && tensor.is_floating_point() && tensors::dtype_of(tensor) == call.record.dtype_in;
  });
  return keeps;
}

class NonfiniteStage : public Stage {
 public:
  explicit NonfiniteStage(const StageContext& context) : context_(context) {}

  void before(Call& call) override {
    if (call.phase == Phase::Backward) {
      call.tensors.gradient = context_.trace.place_of_call(context_.parameters.name_of_accumulated());
    }
    bool is_late = false;
    for_each_tensor(call.arguments(),
                    [&](const at::Tensor& tensor) { is_late = is_late || context_.results_of(tensor) != nullptr; });
    if (is_late) {
      call.tensors.takes_minus_infinity = takes_minus_infinity(call.arguments());
      call.tensors.inputs = weak(call.arguments());
    } else if (call.info.is_collective) {
      look_before_sending(call);
    } else if (loses_inputs(call)) {
      call.taken = look_at(call.arguments());
    }
    if (call.info.is_collective) receive_into(call, call.arguments());
  }

  void after(Call& call) override {
    if (call.info.is_collective) receive_into(call, call.results());
    call.tensors.is_view = call.info.may_be_view && keeps_type(call);
    if (!call.local.is_complete()) {
      call.tensors.outputs = weak(call.results());
    } else if (has_nonfinite(call.local)) {
      judge(call, [&] { return call.taken ? *call.taken : look_at_kept(call); });
    }
  }

  void completed(std::span<PendingCall> calls) override {
    const std::lock_guard lock(mutex_);
    KnownTensors known = of_batch_before(calls);
    for (PendingCall& call : calls) {
      if (call.tensors.outputs.empty()) continue;  // its values were there: it waits for something else
      if (has_nonfinite(call.local)) {
        judge(call, [&] { return inputs_of(call.tensors, known); });
      }
      if (!call.local.value()) continue;
      for (const WeakTensor& output : call.tensors.outputs) known[output._unsafe_get_target()] = *call.local.value();
    }
    keep_nonfinite(calls, known);
  }

 private:
  /// What calls of this step made of tensors, by address. That is theirs alone while PendingCalls hold them weakly.
  using KnownTensors = std::unordered_map<const c10::TensorImpl*, error::OutputStatistics>;

  struct Kept {
    WeakTensor tensor;
    error::OutputStatistics statistics;
  };

  static std::vector<WeakTensor> weak(c10::ArrayRef<c10::IValue> values) {
    std::vector<WeakTensor> tensors;
    for_each_tensor(values, [&](const at::Tensor& tensor) { tensors.emplace_back(tensor.getIntrusivePtr()); });
    return tensors;
  }

  static bool has_nonfinite(const CallStatistics& local) {
    return local.value() && local.value()->ranges.nonfinite > 0;
  }

  /// It overwrites what it takes, and no copy tells what that was. Optimizers do so all the time, to what gradients and
  /// weights have told of already. Where nobody measures what it gives, nothing will be judged.
  bool loses_inputs(const Call& call) const {
    return call.info.writes_first && call.info.returns_tensor && !call.saved.has_copies &&
           call.thread.optimizer_steps.empty() && context_.measures_all_outputs() && context_.trace.looks_for_origin();
  }

  /// What is not finite before a collective began on this rank, in no call that was seen, unless an earlier collective
  /// has brought it.
  void look_before_sending(const Call& call) {
    if (may_have_masks(call.phase) || !context_.trace.looks_for_origin()) return;
    const TakenValues taken = look_at(call.arguments());
    if (!taken.all_finite) close_with(received_.collective_of(taken.memory));
  }

  void receive_into(const Call& call, c10::ArrayRef<c10::IValue> values) {
    // Without the scale: what overflowed at it is on another rank.
    const NonfiniteTrace::Origin collective{.call_site = call.record.call_site, .phase = call.phase};
    for_each_tensor(values, [&](const at::Tensor& tensor) { received_.add(tensor, collective, call.record.substep); });
  }

  /// The first NaN or inf was in what came in: from another rank, or from outside.
  void close_with(const std::optional<NonfiniteTrace::Origin>& collective) {
    if (!collective) return context_.trace.came_in();
    context_.trace.found(*collective);
    context_.trace.spread_to(collective->call_site);
  }

  /// A step may be completed in several batches. Those of its tensors that are alive and were not finite in the one
  /// before.
  KnownTensors of_batch_before(std::span<const PendingCall> calls) {
    KnownTensors known;
    if (calls.front().record.substep != kept_of_) kept_.clear();
    for (const auto& [address, kept] : kept_) known[address] = kept.statistics;
    return known;
  }

  void keep_nonfinite(std::span<const PendingCall> calls, const KnownTensors& known) {
    kept_of_ = calls.back().record.substep;
    for (const PendingCall& call : calls) {
      for (const WeakTensor& output : call.tensors.outputs) {
        const auto found = known.find(output._unsafe_get_target());
        if (found != known.end()) kept_.insert_or_assign(found->first, Kept{output, found->second});
      }
    }
    std::erase_if(kept_, [](const auto& entry) {
      return entry.second.tensor.expired() || entry.second.statistics.ranges.nonfinite == 0;
    });
  }

  /// At the end of the step. What no call made is as it was: a weight, the batch. What is gone by then was finite.
  static TakenValues inputs_of(const TensorsOfCall& tensors, const KnownTensors& known) {
    TakenValues taken{.minus_infinity = tensors.takes_minus_infinity};
    for (const WeakTensor& input : tensors.inputs) {
      const auto found = known.find(input._unsafe_get_target());
      const at::Tensor alive(input.lock());
      const c10::TensorImpl* tensor = alive.defined() ? alive.unsafeGetTensorImpl() : nullptr;
      if (found != known.end()) {
        add(taken, tensor, found->second);
      } else if (tensor != nullptr) {
        add(taken, tensor, tensors::measure(alive, at::Tensor()));
      }
    }
    return taken;
  }

  static bool may_have_masks(Phase phase) { return phase == Phase::Forward || phase == Phase::Inference; }

  /// A mask is -inf that the program writes, or that came in, for a softmax to make zeros of.
  static bool may_be_mask(Phase phase, const error::OutputStatistics& output) {
    return may_have_masks(phase) && output.minus_infinite == output.ranges.nonfinite;
  }

  /// `look` reads the inputs, all of them, so it is called only where they matter: not for each call of a long chain.
  template <typename AnyCall, typename Look>
  void judge(AnyCall& call, Look look) {
    NonfiniteTrace& trace = context_.trace;
    OpCall& record = call.record;
    const bool may_mask = may_be_mask(call.phase, *call.local.value());
    const bool looks_for_origin = trace.looks_for_origin();
    const TakenValues taken = may_mask || looks_for_origin ? look() : TakenValues{};
    const auto collective = received_.collective_of(taken.memory);
    if (may_mask && taken.minus_infinity && !collective) {
      record.nonfinite_expected = true;
      return;
    }
    // A view computes nothing: what is in it was there before, and may be what nobody has written yet.
    if (looks_for_origin && call.tensors.is_view) return;
    if (looks_for_origin && !taken.all_finite) {
      close_with(collective);
    } else if (looks_for_origin) {
      trace.found(
          {record.call_site, call.phase, record.scale, reference_amax(record), /*gradient=*/call.tensors.gradient});
    }
    trace.spread_to(record.call_site);
  }

  /// Without a high-precision reference the range statistics describe the overflowed output itself.
  static std::optional<double> reference_amax(const OpCall& record) {
    if (!record.local || record.ranges->reference_amax <= 0) return std::nullopt;
    return record.ranges->reference_amax;
  }

  const StageContext context_;
  ReceivedMemory received_;
  std::mutex mutex_;
  std::int64_t kept_of_ = 0;                                 ///< substep
  std::unordered_map<const c10::TensorImpl*, Kept> kept_{};  ///< alive and not finite
};

}  // namespace

std::unique_ptr<Stage> make_nonfinite_stage(const StageContext& context) {
  return std::make_unique<NonfiniteStage>(context);
}

}  // namespace ampprof::profiler
