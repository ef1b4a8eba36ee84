// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "profiler/calls/call.h"
#include "profiler/overflow/input_values.h"
#include "profiler/overflow/nonfinite_cause.h"
#include "profiler/overflow/nonfinite_memory.h"
#include "profiler/overflow/nonfinite_trace.h"

/// State that the nonfinite stage keeps for a call, and functions that read the call's values.
namespace ampprof::profiler {

/// The storage of a result.
struct ResultStorage {
  NonfiniteMemory::WeakStorage storage;
  bool is_whole = false;  ///< the result covers the whole storage
};

/// State of a call until its result is known.
struct TensorsOfCall {
  const OpInfo* info = nullptr;
  std::int64_t held = 0;                        ///< number of a held call, else 0 (CallPlace::held)
  std::optional<std::int64_t> micro_batch{};    ///< number of the call's backward pass in the segment, from 1
  std::vector<InputTensor> inputs{};            ///< empty if no storage has an event and no statistics are on a device
  std::vector<InputTensor> statistics{};        ///< running statistics in FP16 that a normalization writes
  std::vector<WeakTensor> outputs{};            ///< set if statistics of the outputs are still on a device
  std::vector<ResultStorage> memory{};          ///< storages of the outputs
  InputNumbers numbers{};                       ///< NaN, inf and -inf among the scalar arguments
  std::int64_t gradient = 0;                    ///< for a backward call: GradientsOfPass::place_of_call()
  bool accumulates = false;                     ///< the call makes the gradient of a parameter
  std::string parameter{};                      ///< if `accumulates`: name of the parameter; "" if it has none
  bool is_view = false;                         ///< the call computes nothing: the values of its result existed before
  bool updates_leaf = false;                    ///< the call writes to a weight
  std::uint64_t first_node = 0;                 ///< sequence number of the first autograd node that the call made
  std::uint64_t end_of_nodes = 0;               ///< sequence number after the last node that the call made
  std::uint64_t thread = 0;                     ///< LibTorch's id of the thread that made the nodes
  std::optional<NonfiniteTrace::Id> of_node{};  ///< for a backward call: event of its forward call
  std::optional<InputValues> taken{};  ///< inputs, read before the call if it overwrites them and no copy was saved

  /// Adds the facts that are known once the op has run.
  void add_results(const Call& call);
};

/// Returns whether -inf in a call of this phase may be a mask, which the program writes and a softmax turns into zeros.
inline bool may_have_masks(Phase phase) { return phase == Phase::Forward || phase == Phase::Inference; }
inline bool may_be_mask(Phase phase, const error::OutputStatistics& output) {
  return may_have_masks(phase) && output.minus_infinite == output.ranges.nonfinite;
}

/// Returns whether a result of a call has NaN or inf. Waits for a device.
bool gave_nonfinite(const Call& call);

/// Functions that read the values of a call on demand, as far as they can still be read.
struct Readable {
  std::function<InputValues()> inputs;
  std::function<bool()> makes_new = [] { return false; };
  std::function<void(NonfiniteFacts&)> add_facts = [](NonfiniteFacts&) {};
};

/// Returns functions that read the values of a call that has just run. The functions refer to both arguments.
Readable readable(const Call& call, const TensorsOfCall& tensors);

/// Drops inputs that the call has overwritten and that have no event. They were finite: a storage with NaN or inf has
/// an event.
InputValues without_overwritten(InputValues taken, const TensorsOfCall& tensors);

/// Says from where NaN and inf in a result descend.
struct Descent {
  std::vector<NonfiniteTrace::Id> ids{};  ///< events of the inputs
  bool is_outside = false;                ///< an input has NaN or inf that no recorded call made
  bool has_mask = false;                  ///< an input has -inf that the program wrote

  bool is_finite() const { return ids.empty() && !is_outside; }
};

Descent descent_of(const InputValues& taken);

/// Returns the origin of NaN and inf that a collective received from another rank. The loss scale is empty, since the
/// overflow occurred on that rank.
NonfiniteTrace::Origin received_by(const OpCall& collective, Phase phase, std::optional<std::int64_t> micro_batch);

/// Returns the largest magnitude of the output in high precision. Empty without a reference, when the ranges describe
/// the overflowed output itself.
std::optional<double> reference_amax(const OpCall& record);

}  // namespace ampprof::profiler
