// SPDX-License-Identifier: Apache-2.0
// Nonfinite: finds the calls that turn finite inputs into NaN or inf, and follows these values to their outcome.

#include <ATen/ATen.h>

#include <algorithm>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "precision/tensors/measure.h"
#include "precision/tensors/observer_disabled_guard.h"
#include "profiler/calls/parameter_facts.h"
#include "profiler/overflow/received_memory.h"
#include "profiler/stages/nonfinite_call.h"
#include "profiler/stages/norm_statistics.h"
#include "profiler/stages/stages.h"
#include "profiler/torch_hooks/torch_state.h"

namespace ampprof::profiler {
namespace {

using Id = NonfiniteTrace::Id;

bool has_nonfinite(const CallStatistics& measured) {
  return measured.value() && measured.value()->ranges.nonfinite > 0;
}

/// Returns whether this input is a buffer of a normalization module (running_mean, running_var).
bool is_buffer(const InputTensor& input) { return input.name.starts_with("running_"); }

class NonfiniteStage : public Stage {
 public:
  NonfiniteStage(NonfiniteTrace& trace, NonfiniteMemory& memory, ParameterFacts& parameters,
                 tensors::DeferredReductions& results, std::function<bool()> measures_outputs, bool is_what_if)
      : trace_(trace),
        memory_(memory),
        parameters_(parameters),
        results_(results),
        measures_outputs_(std::move(measures_outputs)),
        is_what_if_(is_what_if) {}

  std::unique_ptr<StageCall> begin(Call& call) override;

  void batch_completed() override {
    const std::lock_guard lock(mutex_);
    known_.end_batch(last_segment_);
  }

  /// Returns whether statistics describe values in the type of --what-if. The program's own values may then be finite.
  bool is_what_if() const { return is_what_if_; }

  void complete(PendingCall& call, const TensorsOfCall& tensors) {
    const std::lock_guard lock(mutex_);
    known_.begin_batch(call.record.segment);
    last_segment_ = call.record.segment;
    const CallStatistics& measured = call.figures.statistics;
    if (measured.value()) {
      judge(call.record, call.phase, *measured.value(), tensors,
            {.inputs = [&] { return without_overwritten(look_at(tensors.inputs, known_, memory_), tensors); }});
      known_.add(tensors.outputs, *measured.value());
    }
  }

  void receive_into(const Call& call, c10::ArrayRef<c10::IValue> values) {
    const NonfiniteTrace::Origin collective = received_by(call.record, call.phase, call.place.micro_batch);
    for_each_tensor(values, [&](const at::Tensor& tensor) { received_.add(tensor, collective, call.record.segment); });
  }

  /// Follows a call without measured outputs: a view, or an op that returns nothing.
  void follow_unmeasured(const Call& call, const TensorsOfCall& tensors) {
    accumulated(call.record, tensors);
    if (call.info.writes_first && call.info.results == 0 && !call.access.is_on_gpu) {
      look_at_written(call.record, tensors);
    }
  }

  /// Looks for running statistics that have overflowed. In training, outputs of a normalization stay finite
  /// nevertheless, since they use the statistics of the batch.
  void look_at_statistics(const Call& call, const TensorsOfCall& tensors) {
    for (const auto& [name, storage] : overflowed(tensors.statistics, memory_)) {
      const Id id = trace_.found({.call_site = call.record.call_site,
                                  .phase = call.phase,
                                  .segment = call.record.segment,
                                  .micro_batch = tensors.micro_batch,
                                  .cause = NonfiniteCause::TooLarge,
                                  .fp32_holds = true});
      memory_.put(storage, id);
      trace_.reached(id, NonfiniteOutcome::Buffer, name, call.record.call_site);
    }
  }

  void judge(OpCall& record, Phase phase, const error::OutputStatistics& output, const TensorsOfCall& tensors,
             const Readable& values) {
    if (output.ranges.nonfinite > 0) {
      judge_nonfinite(record, phase, output, tensors, values);
    } else if (!tensors.is_view && descends(tensors)) {
      judge_finite(record, tensors, values.inputs());
    }
  }

 private:
  TensorsOfCall look_before(Call& call);
  void judge_nonfinite(OpCall& record, Phase phase, const error::OutputStatistics& output, const TensorsOfCall& tensors,
                       const Readable& values);
  void judge_finite(const OpCall& record, const TensorsOfCall& tensors, const InputValues& taken);
  Id event_of(const OpCall& record, Phase phase, const TensorsOfCall& tensors, const InputValues& taken,
              const Readable& values);
  Id begin_event(const OpCall& record, Phase phase, const TensorsOfCall& tensors, bool takes_mask,
                 const Readable& values);
  void put(Id id, const OpCall& record, const TensorsOfCall& tensors);
  void mark(Id id, const OpCall& record, const NonfiniteMemory::Mark& as, NonfiniteTrace::Memory memory);
  void look_at_buffers(Id id, const OpCall& record, const TensorsOfCall& tensors);
  void accumulated(const OpCall& record, const TensorsOfCall& tensors);
  void look_at_written(const OpCall& record, const TensorsOfCall& tensors);

  /// Returns whether the storage of an input has an event, so NaN or inf was seen there.
  bool descends(const TensorsOfCall& tensors) const {
    return memory_.has_any() && std::ranges::any_of(tensors.inputs, [&](const InputTensor& input) {
             return input.id || memory_.id_of(input.memory);
           });
  }

  /// Returns whether the call overwrites inputs of which no copy exists, so that they must be read before the call.
  /// False in optimizers, whose inputs (gradients and weights) were judged as outputs of earlier calls, and in steps
  /// without measured outputs, in which nothing is judged.
  bool loses_inputs(const Call& call) const {
    return call.info.writes_first && call.info.returns_tensor && !call.saved.has_copies &&
           call.thread.optimizer_steps.empty() && measures_outputs_();
  }

  /// Finds the origin of NaN and inf in the inputs of a collective, which were received in an earlier collective or
  /// began outside of recorded calls.
  void look_before_sending(const Call& call, const TensorsOfCall& tensors) {
    if (may_have_masks(call.phase)) return;
    const InputValues taken = look_at(call.arguments(), tensors.inputs);
    forget_finite(taken);
    const Descent descent = descent_of(taken);
    if (descent.ids.empty() && (descent.is_outside || descent.has_mask)) came_in(taken);
  }

  /// Drops the events of storages whose values are all finite now. A DDP bucket is filled piece by piece, so no single
  /// write has cleared the event of an earlier step.
  void forget_finite(const InputValues& taken) {
    for (const InputValue& value : taken) {
      const at::Tensor alive(value.input.tensor.lock());
      const bool is_whole = alive.defined() && alive.has_storage() && alive.nbytes() == alive.storage().nbytes();
      if (value.is_finite && is_whole) memory_.clear(value.input.memory);
    }
  }

  /// Returns the event of NaN and inf that were received from another rank; kOutside if no collective wrote them.
  Id came_in(const InputValues& taken) {
    std::vector<ReceivedMemory::Memory> memory;
    for (const InputValue& value : taken) {
      if (!value.is_finite) memory.push_back(value.input.memory);
    }
    const auto collective = received_.collective_of(memory);
    const Id id = collective ? trace_.found(*collective) : NonfiniteTrace::kOutside;
    for (const InputValue& value : taken) {
      const at::Tensor alive(value.input.tensor.lock());
      if (!value.is_finite && alive.defined() && alive.has_storage()) {
        memory_.put(alive.storage().getWeakStorageImpl(), id);
      }
    }
    return id;
  }

  NonfiniteTrace& trace_;
  NonfiniteMemory& memory_;
  ParameterFacts& parameters_;
  tensors::DeferredReductions& results_;
  const std::function<bool()> measures_outputs_;
  const bool is_what_if_;
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
    const CallStatistics& measured = call.figures.statistics;
    const bool is_late = !measured.is_complete();
    if (!has_nonfinite(measured)) stage_.look_at_statistics(call, tensors_);
    if (!is_late && !has_nonfinite(measured) && tensors_.inputs.empty()) return;
    if (stage_.is_what_if() && (is_late || (has_nonfinite(measured) && !gave_nonfinite(call)))) return;
    tensors_.add_results(call);
    tensors_.numbers = numbers_in(call.saved.arguments);
    if (is_late) {
      tensors_.outputs = weak(call.results());
    } else if (measured.value()) {
      stage_.judge(call.record, call.phase, *measured.value(), tensors_, readable(call, tensors_));
    } else {
      stage_.follow_unmeasured(call, tensors_);
    }
  }

  void complete(PendingCall& call) override {
    if (!tensors_.outputs.empty()) stage_.complete(call, tensors_);  // without outputs, only other stages waited
  }

 private:
  NonfiniteStage& stage_;
  TensorsOfCall tensors_;
};

void NonfiniteStage::judge_nonfinite(OpCall& record, Phase phase, const error::OutputStatistics& output,
                                     const TensorsOfCall& tensors, const Readable& values) {
  // A view computes nothing: its values existed before, or its storage was never written.
  if (tensors.is_view) return accumulated(record, tensors);
  // A nonfinite number that the program writes is expected (a mask), but not in a gradient.
  const bool may_be_written = phase != Phase::Backward && tensors.numbers.nonfinite;
  if (may_be_written && writes_number(tensors.info->name) && !descends(tensors)) {
    record.nonfinite_expected = true;
    return;
  }
  const InputValues taken = values.inputs();
  const Descent descent = descent_of(taken);
  const bool takes_mask = tensors.numbers.minus_infinity || descent.has_mask;
  if (may_be_mask(phase, output) && takes_mask && descent.is_finite() && !values.makes_new()) {
    record.nonfinite_expected = true;
    return;
  }
  const Id id = event_of(record, phase, tensors, taken, values);
  trace_.spread(id, record.call_site, phase);
  put(id, record, tensors);
  look_at_buffers(id, record, tensors);
}

/// Returns the event from which NaN or inf in a result descend. Begins an event if they first appear in this call.
Id NonfiniteStage::event_of(const OpCall& record, Phase phase, const TensorsOfCall& tensors, const InputValues& taken,
                            const Readable& values) {
  Descent descent = descent_of(taken);
  // A tensor that the forward call saved for its backward may be in a storage without an event.
  if (descent.ids.empty() && tensors.of_node && (descent.is_outside || descent.has_mask)) {
    descent.ids.push_back(*tensors.of_node);
  }
  const bool is_first = descent.is_finite();
  if (is_first || values.makes_new()) {
    descent.ids.push_back(begin_event(record, phase, tensors, is_first && descent.has_mask, values));
  }
  return descent.ids.empty() ? came_in(taken) : trace_.joined(descent.ids);
}

Id NonfiniteStage::begin_event(const OpCall& record, Phase phase, const TensorsOfCall& tensors, bool takes_mask,
                               const Readable& values) {
  if (tensors.info->is_collective) return trace_.found(received_by(record, phase, tensors.micro_batch));
  NonfiniteFacts facts{.op = tensors.info->name, .type = record.dtype_out, .takes_mask = takes_mask};
  if (record.local) facts.local = &*record.local;
  facts.reference_amax = reference_amax(record).value_or(0.0);
  values.add_facts(facts);
  NonfiniteTrace::Origin origin{.call_site = record.call_site,
                                .phase = phase,
                                .segment = record.segment,
                                .held = tensors.held,
                                .micro_batch = tensors.micro_batch,
                                .scale = record.scale,
                                .reference_amax = reference_amax(record),
                                .gradient = tensors.gradient,
                                .cause = cause_of(facts)};
  if (record.local) origin.fp32_holds = record.local->infinite > 0;
  return trace_.found(origin);
}

void NonfiniteStage::put(Id id, const OpCall& record, const TensorsOfCall& tensors) {
  for (const ResultStorage& given : tensors.memory) {
    const NonfiniteTrace::Memory memory = given.storage._unsafe_get_target();
    if (const auto as = memory_.put(given.storage, id)) mark(id, record, *as, memory);
    if (tensors.accumulates) trace_.reached_gradient(id, tensors.parameter, record.call_site, memory);
  }
  memory_.put_nodes(tensors.first_node, tensors.end_of_nodes, tensors.thread, id);
  if (tensors.updates_leaf) trace_.reached(id, NonfiniteOutcome::Weight, "", record.call_site);
}

void NonfiniteStage::mark(Id id, const OpCall& record, const NonfiniteMemory::Mark& as, NonfiniteTrace::Memory memory) {
  if (as.is == NonfiniteOutcome::Gradient) {
    trace_.reached_gradient(id, as.parameter, record.call_site, memory);
  } else {
    trace_.reached(id, as.is, as.parameter, 0);
  }
}

/// Looks for NaN and inf in running statistics, which normalizations write although their schema does not mark it.
void NonfiniteStage::look_at_buffers(Id id, const OpCall& record, const TensorsOfCall& tensors) {
  const tensors::ObserverDisabledGuard guard;
  for (const InputTensor& input : tensors.inputs) {
    const at::Tensor buffer = is_buffer(input) ? at::Tensor(input.tensor.lock()) : at::Tensor();
    if (!buffer.defined() || !buffer.has_storage() || at::isfinite(buffer).all().item<bool>()) continue;
    memory_.put(buffer.storage().getWeakStorageImpl(), id);
    trace_.reached(id, NonfiniteOutcome::Buffer, std::string(input.name), record.call_site);
  }
}

/// Marks the inputs as the gradient of a parameter, because AccumulateGrad may take a view of another backward result.
void NonfiniteStage::accumulated(const OpCall& record, const TensorsOfCall& tensors) {
  if (!tensors.accumulates) return;
  for (const InputTensor& input : tensors.inputs) {
    const at::Tensor gradient(input.tensor.lock());
    if (!gradient.defined() || !gradient.has_storage()) continue;
    const NonfiniteMemory::Mark as{.is = NonfiniteOutcome::Gradient, .parameter = tensors.parameter};
    const auto id = memory_.mark(gradient.storage().getWeakStorageImpl(), as);
    if (id) mark(*id, record, as, input.memory);
  }
}

/// Checks the tensors that an op without results wrote: all tensors of the op's first argument.
void NonfiniteStage::look_at_written(const OpCall& record, const TensorsOfCall& tensors) {
  std::vector<Id> ids;
  for (const InputTensor& input : tensors.inputs) {
    if (input.id) ids.push_back(*input.id);
  }
  if (ids.empty()) return;
  const Id joined = trace_.joined(ids);
  for (const InputTensor& input : tensors.inputs) {
    const at::Tensor written(input.tensor.lock());
    if (input.name != tensors.inputs.front().name || !written.defined() || !written.has_storage()) continue;
    const bool is_finite = tensors::measure(written, at::Tensor()).ranges.nonfinite == 0;
    if (!is_finite && !input.id) {
      memory_.put(written.storage().getWeakStorageImpl(), joined);
      trace_.spread(joined, record.call_site, Phase::Optimizer);
    } else if (is_finite && input.id) {
      if (!overwrites_unread(tensors.info->name)) {
        trace_.made_finite(*input.id, outcome_of(tensors.info->name), record.call_site, input.memory);
      }
      memory_.clear(input.memory);
    }
  }
}

void NonfiniteStage::judge_finite(const OpCall& record, const TensorsOfCall& tensors, const InputValues& taken) {
  const Descent descent = descent_of(taken);
  if (!descent.ids.empty()) {
    memory_.put_nodes(tensors.first_node, tensors.end_of_nodes, tensors.thread, trace_.joined(descent.ids));
  }
  const bool writes = tensors.info->writes_first;
  for (const InputValue& value : taken) {
    if (value.is_finite || !value.input.id) continue;
    const bool is_written = writes && !tensors.inputs.empty() && value.input.memory == tensors.inputs.front().memory;
    if (is_written && overwrites_unread(tensors.info->name)) continue;
    if (is_buffer(value.input)) {
      trace_.reached(*value.input.id, NonfiniteOutcome::Buffer, std::string(value.input.name), record.call_site);
    } else {
      trace_.made_finite(*value.input.id, outcome_of(tensors.info->name), record.call_site,
                         is_written ? value.input.memory : nullptr);
    }
  }
  for (const ResultStorage& given : tensors.memory) {
    if (given.is_whole) memory_.clear(given.storage._unsafe_get_target());
  }
}

TensorsOfCall NonfiniteStage::look_before(Call& call) {
  TensorsOfCall tensors{.info = &call.info,
                        .held = call.place.held,
                        .micro_batch = call.place.micro_batch,
                        .statistics = statistics_of(call)};
  if (call.phase == Phase::Backward) {
    tensors.accumulates = accumulated_parameter() != nullptr;
    if (tensors.accumulates) tensors.parameter = parameters_.name_of_accumulated();
    if (memory_.has_any()) tensors.of_node = memory_.id_of_node(backward_sequence_number(), backward_forward_thread());
    tensors.gradient = trace_.gradients.place_of_call(tensors.parameter);
  }
  bool is_late = false;
  for_each_tensor(call.arguments(),
                  [&](const at::Tensor& tensor) { is_late = is_late || results_.if_deferred(tensor) != nullptr; });
  if (is_late || memory_.has_any()) tensors.inputs = inputs_of(call, memory_);
  if (is_late) return tensors;
  if (call.info.is_collective) {
    look_before_sending(call, tensors);
    if (!tensors.inputs.empty()) tensors.inputs = inputs_of(call, memory_);  // look_before_sending() changes events
  } else if (loses_inputs(call)) {
    tensors.taken = look_at(call.arguments(), tensors.inputs);
  }
  return tensors;
}

std::unique_ptr<StageCall> NonfiniteStage::begin(Call& call) {
  TensorsOfCall tensors = look_before(call);
  if (call.info.is_collective) receive_into(call, call.arguments());
  return std::make_unique<NonfiniteCall>(*this, std::move(tensors));
}

}  // namespace

std::unique_ptr<Stage> make_nonfinite_stage(NonfiniteTrace& trace, NonfiniteMemory& memory, ParameterFacts& parameters,
                                            tensors::DeferredReductions& results,
                                            std::function<bool()> measures_outputs, bool is_what_if) {
  return std::make_unique<NonfiniteStage>(trace, memory, parameters, results, std::move(measures_outputs), is_what_if);
}

}  // namespace ampprof::profiler
