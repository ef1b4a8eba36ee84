// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "profiler/calls/call.h"
#include "profiler/overflow/nonfinite_cause.h"
#include "profiler/overflow/nonfinite_memory.h"
#include "profiler/overflow/nonfinite_trace.h"
#include "profiler/overflow/taken_values.h"

/// State that the nonfinite stage keeps of a call, and how it reads the call's values.
namespace ampprof::profiler {

/// The memory of a result.
struct GivenMemory {
  NonfiniteMemory::WeakStorage storage;
  bool is_whole = false;  ///< the result fills the whole memory
};

/// State of a call until its result is known.
struct TensorsOfCall {
  const OpInfo* info = nullptr;
  std::int64_t held = 0;                      ///< see CallPlace
  std::optional<std::int64_t> micro_batch{};  ///< see NonfiniteEvent
  std::vector<TakenTensor> inputs{};          ///< empty if no NaN or inf is known and all figures are there
  std::vector<TakenTensor> statistics{};      ///< FP16 statistics of a module that the call writes (not in its schema)
  std::vector<WeakTensor> outputs{};          ///< set where the call's figures come late
  std::vector<GivenMemory> memory{};          ///< of the outputs
  TakenNumbers numbers{};                     ///< among its arguments
  std::int64_t gradient = 0;                  ///< GradientsOfPass::place_of_call(), for a backward call
  bool accumulates = false;                   ///< it makes the gradient of a parameter
  std::string parameter{};                    ///< that parameter's name; "" without a name
  bool is_view = false;                       ///< its result computes nothing: the values were there before
  bool updates_leaf = false;                  ///< it writes a weight
  std::uint64_t first_node = 0;               ///< sequence number of the first autograd node that it made
  std::uint64_t end_of_nodes = 0;             ///< the first number after its last node
  std::uint64_t thread = 0;                   ///< that made the nodes
  std::optional<NonfiniteTrace::Id> of_node{};  ///< event of the forward call whose backward this call is part of
  std::optional<TakenValues> taken{};           ///< set where the call overwrites its inputs, and no copy is kept

  /// Adds the facts that are known once the op ran.
  void add_results(const Call& call);
};

/// A mask is -inf that the program writes or passes in, and that a softmax turns into zeros.
inline bool may_have_masks(Phase phase) { return phase == Phase::Forward || phase == Phase::Inference; }
inline bool may_be_mask(Phase phase, const error::OutputStatistics& output) {
  return may_have_masks(phase) && output.minus_infinite == output.ranges.nonfinite;
}

/// Returns whether a result of a call is not finite. Waits for a device.
bool gave_nonfinite(const Call& call);

/// Reads values for a judgement, where they can still be read.
struct Readable {
  std::function<TakenValues()> inputs;
  std::function<bool()> makes_new = [] { return false; };
  std::function<void(NonfiniteFacts&)> add_facts = [](NonfiniteFacts&) {};
};

/// Returns how to read the values of a call that has just run. Keeps references to both arguments.
Readable readable(const Call& call, const TensorsOfCall& tensors);

/// Drops inputs that the call has overwritten and that have no copy. They were finite, unless their memory has an
/// event.
TakenValues without_overwritten(TakenValues taken, const TensorsOfCall& tensors);

/// The origins of the values of a result that is not finite.
struct Descent {
  std::vector<NonfiniteTrace::Id> ids{};  ///< events
  bool is_outside = false;                ///< no recorded call made some of the values
  bool has_mask = false;                  ///< some are -inf that the program wrote

  bool is_finite() const { return ids.empty() && !is_outside; }
};

Descent descent_of(const TakenValues& taken);

/// Returns the origin of values that a collective brings from another rank. It has no scale, since they overflowed
/// there.
NonfiniteTrace::Origin received_by(const OpCall& collective, Phase phase, std::optional<std::int64_t> micro_batch);

/// Returns empty without a high-precision reference: then the range statistics describe the overflowed output itself.
std::optional<double> reference_amax(const OpCall& record);

}  // namespace ampprof::profiler
