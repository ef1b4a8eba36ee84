// SPDX-License-Identifier: Apache-2.0
#include "profiler/observer/session_core.h"

#include "precision/shadow/shadow.h"
#include "precision/tensors/device_room.h"
#include "profiler/gradient_impact/taped_steps.h"
#include "profiler/recipes/recipe_course.h"
#include "profiler/torch_hooks/torch_state.h"

namespace ampprof::profiler {
namespace {

std::unique_ptr<shadow::Shadow> shadow_for(const recording::Options& options) {
  if (!options.inherited && !is_recipe(options.what_if)) return nullptr;
  return std::make_unique<shadow::Shadow>(options.reference == recording::ReferenceMode::Double ? at::kDouble
                                                                                                : at::kFloat);
}

std::unique_ptr<RecipeCourse> recipes_for(const recording::Options& options) {
  if (!is_recipe(options.what_if) && options.screen.empty()) return nullptr;
  return std::make_unique<RecipeCourse>(options);
}

}  // namespace

SessionCore::SessionCore(const recording::Options& asked)
    : options(asked),
      attach(describe_torch(/*on_gpu=*/false)),
      recorder(options.report, options.run, attach, Recorder::kInterval, options.max_bytes),
      ranges(clock, missing),
      shadow(shadow_for(options)),
      recipes(recipes_for(options)),
      room(std::make_unique<tensors::DeviceRoom>()),
      state(clock) {}

SessionCore::~SessionCore() = default;

}  // namespace ampprof::profiler
