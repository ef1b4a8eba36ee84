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

/// Holds the pairs of a call.
struct Pairs {
  std::vector<OutputPair> pairs{};  ///< a pair without `high` is measured alone
  bool measures_if_none = false;    ///< measures the outputs alone without a pair
};

/// Gives the error stage the counterparts of a call's outputs: a reference, the same op on rounded operands, or a
/// recipe's matmuls. Thread-safe.
class PairSource {
 public:
  virtual ~PairSource() = default;

  virtual bool wants(const OpInfo& info) const = 0;

  /// Saves what it needs in `call.saved` before the op runs.
  virtual void before(Call& call) = 0;

  /// Returns the pairs once the op ran. Returns nothing if there is nothing to measure, for example in a view.
  virtual std::optional<Pairs> after(Call& call) = 0;

  /// Called when all calls of a batch have their figures.
  virtual void batch_completed() {}
};

// Makers of the sources. All arguments must outlive the result.

/// Compares with the same call in `precision`, kFloat or kDouble, on the inputs as received: local error.
std::unique_ptr<PairSource> reference_pairs(at::ScalarType precision, MissingNotes& missing);

/// Compares the call on operands rounded to `type` with the program's result: --what-if of a type. `scale` is the loss
/// scale that gradients are judged at.
std::unique_ptr<PairSource> rounded_pairs(error::WhatIfType type, double scale, MissingNotes& missing);

/// Compares a call's matmuls in recipes with exact products, and records a row for each in run `run` of the report.
/// `replays` is null without --impact.
std::unique_ptr<PairSource> recipe_pairs(RecipeArithmetic& recipes, GradientReplays* replays, Recorder& recorder,
                                         MissingNotes& missing, std::size_t run);

/// Notes under `missing` why a call was not run again.
void note_if_not_replayed(MissingNotes& missing, const Call& call, const reference::Replay& result);

}  // namespace ampprof::profiler
