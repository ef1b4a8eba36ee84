// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>

#include "profiler/calls/stage.h"
#include "profiler/stages/pair_source.h"

namespace ampprof::tensors {
class DeferredReductions;
}

namespace ampprof::profiler {

/// Says where the figures of an error stage go.
struct ErrorStageOptions {
  std::size_t run = 0;            ///< which run of the report; the first has the program's own calls
  bool makes_sketches = false;    ///< of outputs on a GPU, in the pass that measures them
};

/// Measures the outputs of calls against what `source` gives: errors, ranges, exponents. `results` outlives it.
std::unique_ptr<Stage> make_error_stage(std::unique_ptr<PairSource> source, tensors::DeferredReductions& results,
                                        ErrorStageOptions options);

}  // namespace ampprof::profiler
