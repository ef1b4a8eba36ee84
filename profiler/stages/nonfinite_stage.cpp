// SPDX-License-Identifier: Apache-2.0
// Finds the call that first turned finite inputs into NaN or inf, and the calls that it spread through.

#include <ATen/ATen.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "precision/tensors/dtype_of.h"
#include "precision/tensors/measure.h"
#include "profiler/calls/call.h"
#include "profiler/overflow/nonfinite_trace.h"
#include "profiler/overflow/received_memory.h"
#include "profiler/stages/parameter_facts.h"
#include "profiler/stages/stages.h"

namespace ampprof::profiler {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

using WeakTensor = c10::weak_intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>;

/// What the search for the origin of NaN and inf asks of the values that a call took.
struct TakenValues {
  bool all_finite = true;
  bool minus_infinity = false;
  std::vector<const void*> memory = {};  ///< where those lie that are not finite (ReceivedMemory::Memory)
};

/// The tensors that a call took and gave. Weak: what the program drops is gone. A weak reference also keeps the address
/// from being given to another tensor.
struct TensorsOfCall {
  std::vector<WeakTensor> inputs{};
  std::vector<WeakTensor> outputs{};
  bool takes_minus_infinity = false;   ///< as a number among its arguments
  std::int64_t gradient = 0;           ///< NonfiniteTrace::place_of_call(), of a call of backward
  bool is_view = false;                ///< its result computes nothing: what is in it was there before
  std::optional<TakenValues> taken{};  ///< where the call overwrites what it takes, and no copy is kept
};

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

std::vector<WeakTensor> weak(c10::ArrayRef<c10::IValue> values) {
  std::vector<WeakTensor> tensors;
  for_each_tensor(values, [&](const at::Tensor& tensor) { tensors.emplace_back(tensor.getIntrusivePtr()); });
  return tensors;
}

bool has_nonfinite(const CallStatistics& measured) {
  return measured.value() && measured.value()->ranges.nonfinite > 0;
}

bool may_have_masks(Phase phase) { return phase == Phase::Forward || phase == Phase::Inference; }

/// A mask is -inf that the program writes, or that came in, for a softmax to make zeros of.
bool may_be_mask(Phase phase, const error::OutputStatistics& output) {
  return may_have_masks(phase) && output.minus_infinite == output.ranges.nonfinite;
}

/// Without a high-precision reference the range statistics describe the overflowed output itself.
std::optional<double> reference_amax(const OpCall& record) {
  if (!record.local || record.ranges->reference_amax <= 0) return std::nullopt;
  return record.ranges->reference_amax;
}

/// What calls of a step made of tensors, by address. That is theirs alone while this holds them weakly.
class KnownTensors {
 public:
  void add(const std::vector<WeakTensor>& outputs, const error::OutputStatistics& measured) {
    for (const WeakTensor& output : outputs)
      known_.insert_or_assign(output._unsafe_get_target(), Known{output, measured});
  }

  /// Returns null for a tensor that no call made.
  const error::OutputStatistics* find(const WeakTensor& tensor) const {
    const auto found = known_.find(tensor._unsafe_get_target());
    return found == known_.end() ? nullptr : &found->second.statistics;
  }

  /// A batch of the calls of `segment` begins. Of the same segment, what earlier ones made that is not finite stays.
  void begin_batch(std::int64_t segment) {
    if (std::exchange(is_in_batch_, true)) return;
    if (segment != segment_) known_.clear();
  }

  void end_batch(std::int64_t segment) {
    segment_ = segment;
    is_in_batch_ = false;
    std::erase_if(known_, [](const auto& entry) {
      return entry.second.tensor.expired() || entry.second.statistics.ranges.nonfinite == 0;
    });
  }

 private:
  struct Known {
    WeakTensor tensor;
    error::OutputStatistics statistics;
  };

  bool is_in_batch_ = false;
  std::int64_t segment_ = 0;
  std::unordered_map<const c10::TensorImpl*, Known> known_;
};

/// At the end of the step. What no call made is as it was: a weight, the batch. What is gone by then was finite.
TakenValues inputs_of(const TensorsOfCall& tensors, const KnownTensors& known) {
  TakenValues taken{.minus_infinity = tensors.takes_minus_infinity};
  for (const WeakTensor& input : tensors.inputs) {
    const error::OutputStatistics* found = known.find(input);
    const at::Tensor alive(input.lock());
    const c10::TensorImpl* tensor = alive.defined() ? alive.unsafeGetTensorImpl() : nullptr;
    if (found != nullptr) {
      add(taken, tensor, *found);
    } else if (tensor != nullptr) {
      add(taken, tensor, tensors::measure(alive, at::Tensor()));
    }
  }
  return taken;
}

class NonfiniteStage : public Stage {
 public:
  NonfiniteStage(NonfiniteTrace& trace, ParameterFacts& parameters, tensors::DeferredReductions& results,
                 std::function<bool()> measures_outputs)
      : trace_(trace), parameters_(parameters), results_(results), measures_outputs_(std::move(measures_outputs)) {}

  std::unique_ptr<StageCall> begin(Call& call) override;

  void batch_completed() override {
    const std::lock_guard lock(mutex_);
    known_.end_batch(last_segment_);
  }

  void complete(PendingCall& call, const TensorsOfCall& tensors) {
    const std::lock_guard lock(mutex_);
    known_.begin_batch(call.record.segment);
    last_segment_ = call.record.segment;
    const CallStatistics& measured = call.figures.statistics;
    if (has_nonfinite(measured)) {
      judge(call, tensors, [&] { return inputs_of(tensors, known_); });
    }
    if (measured.value()) known_.add(tensors.outputs, *measured.value());
  }

  void receive_into(const Call& call, c10::ArrayRef<c10::IValue> values) {
    // Without the scale: what overflowed at it is on another rank.
    const NonfiniteTrace::Origin collective{.call_site = call.record.call_site, .phase = call.phase};
    for_each_tensor(values, [&](const at::Tensor& tensor) { received_.add(tensor, collective, call.record.segment); });
  }

  /// `look` reads the inputs, all of them, so it is called only where they matter: not for each call of a long chain.
  template <typename AnyCall, typename Look>
  void judge(AnyCall& call, const TensorsOfCall& tensors, Look look) {
    OpCall& record = call.record;
    const bool may_mask = may_be_mask(call.phase, *call.figures.statistics.value());
    const bool looks_for_origin = trace_.looks_for_origin();
    const TakenValues taken = may_mask || looks_for_origin ? look() : TakenValues{};
    const auto collective = received_.collective_of(taken.memory);
    if (may_mask && taken.minus_infinity && !collective) {
      record.nonfinite_expected = true;
      return;
    }
    // A view computes nothing: what is in it was there before, and may be what nobody has written yet.
    if (looks_for_origin && tensors.is_view) return;
    if (looks_for_origin && !taken.all_finite) {
      close_with(collective);
    } else if (looks_for_origin) {
      trace_.found({record.call_site, call.phase, record.scale, reference_amax(record), tensors.gradient});
    }
    trace_.spread_to(record.call_site);
  }

 private:
  TensorsOfCall look_before(Call& call);

  /// It overwrites what it takes, and no copy tells what that was. Optimizers do so all the time, to what gradients and
  /// weights have told of already. Where nobody measures what it gives, nothing will be judged.
  bool loses_inputs(const Call& call) const {
    return call.info.writes_first && call.info.returns_tensor && !call.saved.has_copies &&
           call.thread.optimizer_steps.empty() && measures_outputs_() && trace_.looks_for_origin();
  }

  /// What is not finite before a collective began on this rank, in no call that was seen, unless an earlier collective
  /// has brought it.
  void look_before_sending(const Call& call) {
    if (may_have_masks(call.phase) || !trace_.looks_for_origin()) return;
    const TakenValues taken = look_at(call.arguments());
    if (!taken.all_finite) close_with(received_.collective_of(taken.memory));
  }

  /// The first NaN or inf was in what came in: from another rank, or from outside.
  void close_with(const std::optional<NonfiniteTrace::Origin>& collective) {
    if (!collective) return trace_.came_in();
    trace_.found(*collective);
    trace_.spread_to(collective->call_site);
  }

  NonfiniteTrace& trace_;
  ParameterFacts& parameters_;
  tensors::DeferredReductions& results_;
  const std::function<bool()> measures_outputs_;
  ReceivedMemory received_;
  std::mutex mutex_;
  KnownTensors known_;
  std::int64_t last_segment_ = 0;
};

class NonfiniteCall : public StageCall {
 public:
  NonfiniteCall(NonfiniteStage& stage, TensorsOfCall tensors) : stage_(stage), tensors_(std::move(tensors)) {}

  void after(Call& call) override {
    if (call.info.is_collective) stage_.receive_into(call, call.results());
    tensors_.is_view = call.info.may_be_view && keeps_type(call);
    if (!call.figures.statistics.is_complete()) {
      tensors_.outputs = weak(call.results());
    } else if (has_nonfinite(call.figures.statistics)) {
      stage_.judge(call, tensors_, [&] { return tensors_.taken ? *tensors_.taken : look_at_kept(call); });
    }
  }

  void complete(PendingCall& call) override {
    if (!tensors_.outputs.empty())
      stage_.complete(call, tensors_);  // else its values were there: others are waited for
  }

 private:
  NonfiniteStage& stage_;
  TensorsOfCall tensors_;
};

TensorsOfCall NonfiniteStage::look_before(Call& call) {
  TensorsOfCall tensors;
  if (call.phase == Phase::Backward) tensors.gradient = trace_.place_of_call(parameters_.name_of_accumulated());
  bool is_late = false;
  for_each_tensor(call.arguments(),
                  [&](const at::Tensor& tensor) { is_late = is_late || results_.if_taken(tensor) != nullptr; });
  if (is_late) {
    tensors.takes_minus_infinity = takes_minus_infinity(call.arguments());
    tensors.inputs = weak(call.arguments());
  } else if (call.info.is_collective) {
    look_before_sending(call);
  } else if (loses_inputs(call)) {
    tensors.taken = look_at(call.arguments());
  }
  return tensors;
}

std::unique_ptr<StageCall> NonfiniteStage::begin(Call& call) {
  TensorsOfCall tensors = look_before(call);
  if (call.info.is_collective) receive_into(call, call.arguments());
  return std::make_unique<NonfiniteCall>(*this, std::move(tensors));
}

}  // namespace

std::unique_ptr<Stage> make_nonfinite_stage(NonfiniteTrace& trace, ParameterFacts& parameters,
                                            tensors::DeferredReductions& results,
                                            std::function<bool()> measures_outputs) {
  return std::make_unique<NonfiniteStage>(trace, parameters, results, std::move(measures_outputs));
}

}  // namespace ampprof::profiler
