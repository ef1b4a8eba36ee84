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

/// The nonfinite stage keeps this of a call, and reads its values so.
namespace ampprof::profiler {

/// The memory of a result.
struct GivenMemory {
  NonfiniteMemory::WeakStorage storage;
  bool is_whole = false;  ///< the result has all of it
};

/// A call until its result is known.
struct TensorsOfCall {
  const OpInfo* info = nullptr;
  std::int64_t held = 0;                      ///< see CallPlace
  std::optional<std::int64_t> micro_batch{};  ///< see NonfiniteEvent
  std::vector<TakenTensor> inputs{};      ///< empty where nothing is known to be not finite, and all figures are there
  std::vector<TakenTensor> statistics{};  ///< FP16 tensors of a module that the call writes, though no schema says so
  std::vector<WeakTensor> outputs{};      ///< where its figures come late
  std::vector<GivenMemory> memory{};      ///< of the outputs
  TakenNumbers numbers{};                 ///< among its arguments
  std::int64_t gradient = 0;              ///< GradientsOfPass::place_of_call(), of a call of backward
  bool accumulates = false;               ///< it gives the gradient of a parameter
  std::string parameter{};                ///< of that one; "" without a name
  bool is_view = false;                   ///< its result computes nothing: what is in it was there before
  bool updates_leaf = false;              ///< it writes a weight
  std::uint64_t first_node = 0;           ///< of autograd's graph that it made, by sequence number
  std::uint64_t end_of_nodes = 0;         ///< the next one
  std::uint64_t thread = 0;               ///< that made them
  std::optional<NonfiniteTrace::Id> of_node{};  ///< event of the forward call whose backward it is part of
  std::optional<TakenValues> taken{};           ///< where the call overwrites what it takes, and no copy is kept

  /// Notes what is known once the op ran.
  void add_results(const Call& call);
};

/// A mask is -inf that the program writes, or that came in, for a softmax to make zeros of.
inline bool may_have_masks(Phase phase) { return phase == Phase::Forward || phase == Phase::Inference; }
inline bool may_be_mask(Phase phase, const error::OutputStatistics& output) {
  return may_have_masks(phase) && output.minus_infinite == output.ranges.nonfinite;
}

/// Returns whether a result of a call is not finite. Waits for a device.
bool gave_nonfinite(const Call& call);

/// Reads values for a judgement, where they can be read still.
struct Readable {
  std::function<TakenValues()> inputs;
  std::function<bool()> makes_new = [] { return false; };
  std::function<void(NonfiniteFacts&)> add_facts = [](NonfiniteFacts&) {};
};

/// Returns how the values of a call can be read that has just run. Refers to both arguments.
Readable readable(const Call& call, const TensorsOfCall& tensors);

/// Leaves out what the call has overwritten, of which there is no copy: it was finite, unless its memory is known.
TakenValues without_overwritten(TakenValues taken, const TensorsOfCall& tensors);

/// Where the values of a result that is not finite come from.
struct Descent {
  std::vector<NonfiniteTrace::Id> ids{};  ///< events
  bool is_outside = false;                ///< no recorded call made some of them
  bool has_mask = false;                  ///< some are -inf that the program wrote

  bool is_finite() const { return ids.empty() && !is_outside; }
};

Descent descent_of(const TakenValues& taken);

/// Returns the origin of values that a collective brings from another rank. Without the scale: they overflowed there.
NonfiniteTrace::Origin received_by(const OpCall& collective, Phase phase, std::optional<std::int64_t> micro_batch);

/// Without a high-precision reference the range statistics describe the overflowed output itself.
std::optional<double> reference_amax(const OpCall& record);

}  // namespace ampprof::profiler
