// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>

#include "precision/formats/types/spacing.h"
#include "profiler/calls/stage.h"

namespace ampprof::tensors {
class DeferredReductions;
class DeviceMemoryBudget;
}  // namespace ampprof::tensors

namespace ampprof::profiler {

class DriftTracker;
class GradientReplays;
class ImpactSink;
struct ImpactOptions;
class MissingNotes;
class NonfiniteMemory;
class NonfiniteTrace;
class PairSource;
class ParameterFacts;
class Recorder;
class ResidentPeak;
class RoundedInputs;
class RunClock;
class ScalerEvents;
class StepReplays;

// Makers of the stages. All arguments must outlive the stage. README.md says what each stage learns; their order is in
// observer/make_stages.cpp.

/// Records collectives. If `makes_sketches`, also sketches the inputs and results of all-reduces.
std::unique_ptr<Stage> make_collective_stage(Recorder& recorder, RunClock& clock, bool makes_sketches);
std::unique_ptr<Stage> make_memory_stage(ResidentPeak& host, ResidentPeak& gpu, tensors::DeviceMemoryBudget& budget);
std::unique_ptr<Stage> make_drift_stage(DriftTracker& tracker);
/// Measures errors, ranges and exponents of outputs from the pairs of `source`. `run` is the index of the report's run
/// for which errors are recorded; run 0 has the program's own calls. If `makes_sketches`, outputs on a GPU are sketched
/// in the same pass.
std::unique_ptr<Stage> make_error_stage(std::unique_ptr<PairSource> source, tensors::DeferredReductions& results,
                                        std::size_t run, bool makes_sketches);
/// Collects the errors of backward calls for the gradient impact. `run` is the index of the report's run for which they
/// are recorded.
std::unique_ptr<Stage> make_gradient_impact_stage(GradientReplays& replays, std::size_t run);
std::unique_ptr<Stage> make_impact_stage(const ImpactOptions& options, MissingNotes& missing,
                                         ParameterFacts& parameters, RoundedInputs& inputs);
/// Finds the origins of NaN and inf. `measures_outputs` returns whether outputs without a counterpart are measured in
/// this step. If `is_what_if`, statistics describe the type of --what-if.
std::unique_ptr<Stage> make_nonfinite_stage(NonfiniteTrace& trace, NonfiniteMemory& memory, ParameterFacts& parameters,
                                            tensors::DeferredReductions& results,
                                            std::function<bool()> measures_outputs, bool is_what_if);
/// Compares outputs with those of the same step in exact arithmetic, in run 0.
std::unique_ptr<Stage> make_inherited_stage(const StepReplays& steps, NonfiniteTrace& trace,
                                            tensors::DeferredReductions& results);
/// Checks calls under torch.autocast for stale casts. Must precede the error stage.
std::unique_ptr<Stage> make_stale_cast_stage(Recorder& recorder, ParameterFacts& parameters,
                                             tensors::DeferredReductions& results);
/// Finds updates that are lost to rounding. `spacing` is the ulp of the type in which weights are judged; empty for
/// their own type.
std::unique_ptr<Stage> make_update_stage(std::optional<error::Spacing> spacing, Recorder& recorder,
                                         ParameterFacts& parameters, tensors::DeferredReductions& results);
std::unique_ptr<Stage> make_sketch_stage(Recorder& recorder, MissingNotes& missing,
                                         tensors::DeferredReductions& results);
std::unique_ptr<Stage> make_grad_scaler_stage(ScalerEvents& scaler, ParameterFacts& parameters);

}  // namespace ampprof::profiler
