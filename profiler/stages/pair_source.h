// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "precision/formats/types/number_format.h"
#include "precision/replay/reference/reference.h"
#include "profiler/calls/output_pair.h"

namespace ampprof::profiler {

struct Call;
class GradientReplays;
class MissingNotes;
struct OpInfo;
class RecipeArithmetic;
class Recorder;

/// The pairs of a call.
struct Pairs {
  std::vector<OutputPair> pairs{};  ///< for a pair without `high`, only ranges of `low` are measured
  bool measures_if_none = false;    ///< measure ranges of all outputs if `pairs` is empty
};

/// Supplies the error stage with counterparts of a call's outputs: a reference, the same op on rounded operands, or a
/// recipe's matmuls. Thread-safe.
class PairSource {
 public:
  virtual ~PairSource() = default;

  virtual bool wants(const OpInfo& info) const = 0;

  /// Saves the arguments that after() needs in `call.saved`. Called before the op runs.
  virtual void before(Call& call) = 0;

  /// Returns the pairs; empty if there is nothing to measure, for example in a view. Called after the op ran.
  virtual std::optional<Pairs> after(Call& call) = 0;

  /// Called when the statistics of all calls of a batch have come from the device.
  virtual void batch_completed() {}
};

// Makers of the sources. All arguments must outlive the result.

/// Compares the outputs with the same call in `precision` (kFloat or kDouble) on the inputs as received: local error.
std::unique_ptr<PairSource> reference_pairs(at::ScalarType precision, MissingNotes& missing);

/// Compares the call on operands rounded to `type` with the program's result (`--what-if TYPE`). Gradients are
/// multiplied by the loss scale `scale` before they are rounded.
std::unique_ptr<PairSource> rounded_pairs(error::WhatIfType type, double scale, MissingNotes& missing);

/// Compares a call's matmuls in recipes with exact products, and records a row for each matmul in run `run` of the
/// report. `replays` is null without --impact.
std::unique_ptr<PairSource> recipe_pairs(RecipeArithmetic& recipes, GradientReplays* replays, Recorder& recorder,
                                         MissingNotes& missing, std::size_t run);

/// If the call could not be replayed, notes why.
void note_if_not_replayed(MissingNotes& missing, const Call& call, const reference::Replay& result);

}  // namespace ampprof::profiler
