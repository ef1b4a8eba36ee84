// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/core/ScalarType.h>

#include <cstddef>
#include <cstdint>
#include <optional>

#include "precision/formats/types/number_format.h"

namespace ampprof::tensors {
class DeferredReductions;
}

namespace ampprof::profiler {

class ImpactSink;
class RunClock;
class StepReplays;

/// Says whose errors' impacts are found, and how.
struct ImpactOptions {
  std::size_t run = 0;                             ///< which run of the report they are of
  bool is_of_recipe = false;                       ///< the errors are those of a recipe's matmuls
  bool estimates = true;                           ///< their expected size is found, too
  at::ScalarType precision = at::kFloat;           ///< FP32 or FP64
  std::int64_t bytes = 0;                          ///< that errors may take until their gradient comes
  std::optional<error::WhatIfType> what_if = {};   ///< type that operands are judged in
  const StepReplays& steps;  ///< whose gradients errors meet beside the run's
  tensors::DeferredReductions& results;
  RunClock& clock;
  ImpactSink& impacts;
};

}  // namespace ampprof::profiler
