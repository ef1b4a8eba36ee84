// SPDX-License-Identifier: Apache-2.0
#include "profiler/stages/stages.h"

#include <span>

#include "profiler/stages/stage_context.h"
#include "reports/recording/options.h"

namespace ampprof::profiler {

namespace {

/// What outputs are compared with.
std::unique_ptr<Stage> make_error_stage(const StageContext& context) {
  if (context.recipes != nullptr) return make_recipe_stage(context);
  return context.options.what_if.empty() ? make_local_error_stage(context) : make_what_if_stage(context);
}

void add_impact_stages(const StageContext& context, std::vector<std::unique_ptr<Stage>>& stages) {
  if (context.options.impact) stages.push_back(make_impact_stage(context));
  if (context.gradient_replays != nullptr) stages.push_back(make_gradient_impact_stage(context));
}

}  // namespace

std::vector<std::unique_ptr<Stage>> make_stages(const std::vector<StageContext>& courses) {
  const StageContext& context = courses.front();
  std::vector<std::unique_ptr<Stage>> stages;
  stages.push_back(make_collective_stage(context));  // first: others take time between the call and its callback
  if (context.options.reference != recording::ReferenceMode::Off) {
    stages.push_back(make_memory_stage(context));  // before a later stage makes copies
    stages.push_back(make_error_stage(context));
    const bool has_ranges = context.recipes == nullptr || context.shadow != nullptr;  // --screen has none
    if (context.recipes == nullptr) stages.push_back(make_update_stage(context));
    if (has_ranges) stages.push_back(make_nonfinite_stage(context));
    add_impact_stages(context, stages);
    // What one course's compared, its own impacts take before the next one's does.
    for (const StageContext& further : std::span(courses).subspan(1)) {
      stages.push_back(make_error_stage(further));
      add_impact_stages(further, stages);
    }
  }
  if (context.options.inherited) stages.push_back(make_inherited_stage(context));
  if (context.options.sketch) stages.push_back(make_sketch_stage(context));
  stages.push_back(make_grad_scaler_stage(context));
  return stages;
}

}  // namespace ampprof::profiler
