// SPDX-License-Identifier: Apache-2.0
// Finds the call that first turned finite inputs into NaN or inf, and the calls that it spread through.

#include <ATen/ATen.h>

#include <algorithm>
#include <limits>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "precision/tensors/measure.h"
#include "profiler/calls/call.h"
#include "profiler/calls/pending_call.h"
#include "profiler/overflow/nonfinite_trace.h"
#include "profiler/stages/stage_context.h"
#include "profiler/stages/stages.h"

namespace ampprof::profiler {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// What a call took in.
struct Inputs {
  bool all_finite = true;
  bool minus_infinity = false;

  void add(const error::OutputStatistics& measured) {
    all_finite = all_finite && measured.ranges.nonfinite == 0;
    minus_infinity = minus_infinity || measured.minus_infinite > 0;
  }
};

bool takes_minus_infinity(c10::ArrayRef<c10::IValue> arguments) {
  return std::ranges::any_of(arguments, [](const c10::IValue& value) {
    return value.isScalar() && value.toScalar().isFloatingPoint() && value.toScalar().toDouble() == -kInfinity;
  });
}

Inputs look_at(c10::ArrayRef<c10::IValue> arguments) {
  Inputs inputs{.minus_infinity = takes_minus_infinity(arguments)};
  for_each_tensor(arguments, [&](const at::Tensor& tensor) { inputs.add(tensors::measure(tensor, at::Tensor())); });
  return inputs;
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
    bool is_late = false;
    for_each_tensor(call.arguments(),
                    [&](const at::Tensor& tensor) { is_late = is_late || context_.results_of(tensor) != nullptr; });
    if (!is_late) return;
    call.tensors.takes_minus_infinity = takes_minus_infinity(call.arguments());
    call.tensors.inputs = weak(call.arguments());
  }

  void after(Call& call) override {
    call.tensors.is_view = call.info.may_be_view && keeps_type(call);
    if (!call.local.is_complete()) {
      call.tensors.outputs = weak(call.results());
    } else if (has_nonfinite(call.local)) {
      judge(call, [&] { return look_at(call.kept.arguments); });
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
  static Inputs inputs_of(const TensorsOfCall& tensors, const KnownTensors& known) {
    Inputs inputs{.minus_infinity = tensors.takes_minus_infinity};
    for (const WeakTensor& input : tensors.inputs) {
      const auto found = known.find(input._unsafe_get_target());
      if (found != known.end()) {
        inputs.add(found->second);
      } else if (auto alive = input.lock()) {
        inputs.add(tensors::measure(at::Tensor(std::move(alive)), at::Tensor()));
      }
    }
    return inputs;
  }

  /// A mask is -inf that the program writes, or that came in, for a softmax to make zeros of.
  static bool may_be_mask(Phase phase, const error::OutputStatistics& output) {
    const bool may_mask = phase == Phase::Forward || phase == Phase::Inference;
    return may_mask && output.minus_infinite == output.ranges.nonfinite;
  }

  /// `look` reads the inputs, all of them, so it is called only where they matter: not for each call of a long chain.
  template <typename AnyCall, typename Look>
  void judge(AnyCall& call, Look look) {
    NonfiniteTrace& trace = context_.trace;
    OpCall& record = call.record;
    const bool may_mask = may_be_mask(call.phase, *call.local.value());
    const bool looks_for_origin = trace.looks_for_origin();
    const Inputs inputs = may_mask || looks_for_origin ? look() : Inputs{};
    if (may_mask && inputs.minus_infinity) {
      record.nonfinite_expected = true;
      return;
    }
    // A view computes nothing: what is in it was there before, and may be what nobody has written yet.
    if (looks_for_origin && call.tensors.is_view) return;
    if (looks_for_origin) {
      inputs.all_finite ? trace.found({record.call_site, call.phase, record.scale, reference_amax(record)})
                        : trace.came_in();
    }
    trace.spread_to(record.call_site);
  }

  /// Without a high-precision reference the range statistics describe the overflowed output itself.
  static std::optional<double> reference_amax(const OpCall& record) {
    if (!record.local || record.ranges->reference_amax <= 0) return std::nullopt;
    return record.ranges->reference_amax;
  }

  const StageContext context_;
  std::mutex mutex_;
  std::int64_t kept_of_ = 0;                                 ///< substep
  std::unordered_map<const c10::TensorImpl*, Kept> kept_{};  ///< alive and not finite
};

}  // namespace

std::unique_ptr<Stage> make_nonfinite_stage(const StageContext& context) {
  return std::make_unique<NonfiniteStage>(context);
}

}  // namespace ampprof::profiler
