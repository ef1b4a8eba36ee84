// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "precision/replay/variant/shadow.h"
#include "profiler/recipes/recipe_course.h"
#include "reports/recording/options.h"

namespace ampprof::profiler {

/// Goes along with a program: a shadow in high precision, or one that executes a recipe, or what recipes make of the
/// program's own operands. Each is a run of the report, which differs from the others in errors and impacts alone.
struct Course {
  std::unique_ptr<shadow::Shadow> shadow{};  ///< null with --screen
  std::unique_ptr<RecipeCourse> recipes{};   ///< null with --inherited
};

/// Returns those that were asked for; none where nothing goes along. Throws RecipeError for a recipe that cannot be
/// had.
std::vector<Course> courses_for(const recording::Options& options);

}  // namespace ampprof::profiler
