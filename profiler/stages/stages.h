// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "profiler/calls/stage.h"

namespace ampprof::profiler {

struct StageContext;

/// Makes the stages that the options ask for, in the order in which they run. `courses`: one context for each course
/// that goes along with the program, at least one; stages of the program itself take the first.
std::vector<std::unique_ptr<Stage>> make_stages(const std::vector<StageContext>& courses);

std::unique_ptr<Stage> make_collective_stage(const StageContext& context);
std::unique_ptr<Stage> make_memory_stage(const StageContext& context);
std::unique_ptr<Stage> make_local_error_stage(const StageContext& context);
std::unique_ptr<Stage> make_gradient_impact_stage(const StageContext& context);
std::unique_ptr<Stage> make_impact_stage(const StageContext& context);
std::unique_ptr<Stage> make_nonfinite_stage(const StageContext& context);
std::unique_ptr<Stage> make_inherited_stage(const StageContext& context);
std::unique_ptr<Stage> make_update_stage(const StageContext& context);
std::unique_ptr<Stage> make_what_if_stage(const StageContext& context);
std::unique_ptr<Stage> make_recipe_stage(const StageContext& context);
std::unique_ptr<Stage> make_sketch_stage(const StageContext& context);
std::unique_ptr<Stage> make_grad_scaler_stage(const StageContext& context);

}  // namespace ampprof::profiler
