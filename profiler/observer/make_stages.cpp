// SPDX-License-Identifier: Apache-2.0
#include "profiler/observer/make_stages.h"

#include "precision/formats/types/number_format.h"
#include "precision/tensors/device_memory_budget.h"
#include "profiler/calls/parameter_facts.h"
#include "profiler/drift/drift_tracker.h"
#include "profiler/gradient_impact/gradient_replays.h"
#include "profiler/observer/session_core.h"
#include "profiler/replays/step_replays.h"
#include "profiler/stages/impact_options.h"
#include "profiler/stages/pair_source.h"
#include "profiler/stages/stages.h"

namespace ampprof::profiler {
namespace {

using Stages = std::vector<std::unique_ptr<Stage>>;

/// Makes stages from the arguments that they share.
struct Maker {
  SessionCore& core;
  ParameterFacts& parameters;
  ImpactSink& impacts;
  const at::ScalarType precision = precision_of(core.options);
  const std::optional<error::WhatIfType> what_if = error::what_if_type(core.options.what_if);

  std::unique_ptr<PairSource> pairs_of(std::size_t run) const {
    if (RecipeArithmetic* recipes = core.replays.recipes(run)) {
      return recipe_pairs(*recipes, core.gradient_replays.get(), core.recorder, core.missing, run);
    }
    return what_if ? rounded_pairs(*what_if, core.options.assume_scale, core.missing)
                   : reference_pairs(precision, core.missing);
  }

  std::unique_ptr<Stage> error_stage(std::size_t run) const {
    const bool is_reference = core.replays.recipes(run) == nullptr && !what_if;
    return make_error_stage(pairs_of(run), core.results, run, core.options.sketch && is_reference);
  }

  void add_impact_stages(std::size_t run, Stages& stages) const {
    if (core.options.impact) {
      const ImpactOptions options{.run = run,
                                  .is_of_recipe = core.replays.recipes(run) != nullptr,
                                  .estimates = core.options.estimates,
                                  .precision = precision,
                                  .bytes = core.options.impact_bytes / static_cast<std::int64_t>(core.recorder.runs()),
                                  .what_if = what_if,
                                  .steps = core.replays,
                                  .results = core.results,
                                  .clock = core.clock,
                                  .impacts = impacts};
      stages.push_back(make_impact_stage(options, core.missing, parameters, core.rounded_inputs));
    }
    if (core.gradient_replays != nullptr) stages.push_back(make_gradient_impact_stage(*core.gradient_replays, run));
  }

  std::unique_ptr<Stage> nonfinite_stage() const {
    const auto measures_outputs = [&steps = core.replays, gradients = core.gradient_replays.get()] {
      return !steps.have_recipes() || gradients == nullptr || gradients->current() != nullptr;
    };
    return make_nonfinite_stage(core.trace, core.nonfinite_memory, parameters, core.results, measures_outputs,
                                what_if.has_value());
  }

  std::unique_ptr<Stage> update_stage() const {
    const auto spacing = what_if ? std::optional(error::format_of(*what_if).spacing()) : std::nullopt;
    return make_update_stage(spacing, core.recorder, parameters, core.results);
  }

  /// Adds the stages that compare with a reference.
  void add_measuring_stages(Stages& stages) const {
    const bool has_recipes = core.replays.have_recipes();
    // Measures memory before other stages make copies of tensors.
    stages.push_back(make_memory_stage(core.memory, core.gpu_memory, *core.memory_budget));
    stages.push_back(make_stale_cast_stage(core.recorder, parameters, core.results));  // before errors are measured
    stages.push_back(error_stage(0));
    if (!has_recipes) stages.push_back(update_stage());
    // Left out with --screen, which does not measure the ranges that this stage reads.
    if (!has_recipes || core.replays.have_steps()) stages.push_back(nonfinite_stage());
    add_impact_stages(0, stages);
    // The impact stages of a run read the comparison that the error stage of the run made, so they come before the next
    // run's error stage.
    for (std::size_t run = 1; run < core.recorder.runs(); ++run) {
      stages.push_back(error_stage(run));
      add_impact_stages(run, stages);
    }
  }
};

}  // namespace

Stages make_stages(SessionCore& core, ParameterFacts& parameters, ImpactSink& impacts, ScalerEvents& scaler) {
  const recording::Options& options = core.options;
  const Maker maker{core, parameters, impacts};
  Stages stages;
  // The first stage, so that other stages do not take time between the collective's start and its callback.
  stages.push_back(make_collective_stage(core.recorder, core.clock, options.sketch));
  if (options.reference != recording::ReferenceMode::Off) maker.add_measuring_stages(stages);
  if (options.inherited) stages.push_back(make_inherited_stage(core.replays, core.trace, core.results));
  if (core.drift != nullptr) stages.push_back(make_drift_stage(*core.drift));
  if (options.sketch) stages.push_back(make_sketch_stage(core.recorder, core.missing, core.results));
  stages.push_back(make_grad_scaler_stage(scaler, parameters));
  return stages;
}

}  // namespace ampprof::profiler
