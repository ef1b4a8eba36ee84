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

/// Holds what a call is compared with.
struct Pairs {
  std::vector<OutputPair> pairs{};  ///< one whose `high` is undefined is measured by itself
  bool measures_if_none = false;    ///< without a pair, the outputs are measured alone
};

/// Gives the error stage what the outputs of a call are compared with: a reference, the same op on rounded operands, or
/// what recipes make of its matmuls. Thread-safe.
class PairSource {
 public:
  virtual ~PairSource() = default;

  virtual bool wants(const OpInfo& info) const = 0;

  /// Saves what it needs of the call before the op runs, in `call.saved`.
  virtual void before(Call& call) = 0;

  /// Returns the pairs once the op ran; nothing where nothing is measured, as of a view.
  virtual std::optional<Pairs> after(Call& call) = 0;

  /// Calls whose figures have come together are complete.
  virtual void batch_completed() {}
};

// What an error stage compares with. All that is passed outlives it.

/// Compares with the call in `precision`, kFloat or kDouble, on the inputs as received: local error.
std::unique_ptr<PairSource> reference_pairs(at::ScalarType precision, MissingNotes& missing);

/// Compares the call on operands rounded to `type` with what the program made: --what-if of a type. `scale`: the loss
/// scale that gradients are judged at.
std::unique_ptr<PairSource> rounded_pairs(error::WhatIfType type, double scale, MissingNotes& missing);

/// Compares what recipes make of a call's matmuls with exact products, and records a row for each, in the report's run
/// `run`. `replays`: null without --impact.
std::unique_ptr<PairSource> recipe_pairs(RecipeArithmetic& recipes, GradientReplays* replays, Recorder& recorder,
                                         MissingNotes& missing, std::size_t run);

/// Says under `missing` why a call was not run again.
void note_if_not_replayed(MissingNotes& missing, const Call& call, const reference::Replay& result);

}  // namespace ampprof::profiler
