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

/// `makes_sketches`: of the inputs and results of an all-reduce.
std::unique_ptr<Stage> make_collective_stage(Recorder& recorder, RunClock& clock, bool makes_sketches);
std::unique_ptr<Stage> make_memory_stage(ResidentPeak& host, ResidentPeak& gpu, tensors::DeviceMemoryBudget& budget);
std::unique_ptr<Stage> make_drift_stage(DriftTracker& tracker);
/// Compares the outputs of calls with the pairs of `source`: errors, ranges, exponents. `run` is the figures' run in
/// the report; the first run has the program's own calls. `makes_sketches`: of outputs on a GPU, in the same pass.
std::unique_ptr<Stage> make_error_stage(std::unique_ptr<PairSource> source, tensors::DeferredReductions& results,
                                        std::size_t run, bool makes_sketches);
/// `run`: the errors' run in the report.
std::unique_ptr<Stage> make_gradient_impact_stage(GradientReplays& replays, std::size_t run);
std::unique_ptr<Stage> make_impact_stage(const ImpactOptions& options, MissingNotes& missing,
                                         ParameterFacts& parameters, RoundedInputs& inputs);
/// `measures_outputs` returns whether outputs without a counterpart are measured in this step. `is_what_if`: figures
/// describe another type.
std::unique_ptr<Stage> make_nonfinite_stage(NonfiniteTrace& trace, NonfiniteMemory& memory, ParameterFacts& parameters,
                                            tensors::DeferredReductions& results,
                                            std::function<bool()> measures_outputs, bool is_what_if);
/// Compares with the first run's step in exact arithmetic.
std::unique_ptr<Stage> make_inherited_stage(const StepReplays& steps, NonfiniteTrace& trace,
                                            tensors::DeferredReductions& results);
/// Looks at calls under torch.autocast before their errors are measured.
std::unique_ptr<Stage> make_stale_cast_stage(Recorder& recorder, ParameterFacts& parameters,
                                             tensors::DeferredReductions& results);
/// `spacing`: of the type that weights are judged in; empty for their own type.
std::unique_ptr<Stage> make_update_stage(std::optional<error::Spacing> spacing, Recorder& recorder,
                                         ParameterFacts& parameters, tensors::DeferredReductions& results);
std::unique_ptr<Stage> make_sketch_stage(Recorder& recorder, MissingNotes& missing,
                                         tensors::DeferredReductions& results);
std::unique_ptr<Stage> make_grad_scaler_stage(ScalerEvents& scaler, ParameterFacts& parameters);

}  // namespace ampprof::profiler
