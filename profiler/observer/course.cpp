// SPDX-License-Identifier: Apache-2.0
#include "profiler/observer/course.h"

#include "precision/formats/types/number_format.h"
#include "precision/formats/recipes/listed.h"

namespace ampprof::profiler {
namespace {

/// Else one of the types that ops are judged in, or nothing.
bool names_recipes(const std::string& what_if) { return !what_if.empty() && !error::what_if_type(what_if); }

}  // namespace

std::vector<Course> courses_for(const recording::Options& options) {
  const auto new_shadow = [&] {
    const bool is_double = options.reference == recording::ReferenceMode::Double;
    return std::make_unique<shadow::Shadow>(is_double ? at::kDouble : at::kFloat);
  };
  std::vector<Course> courses;
  if (options.inherited) courses.push_back({.shadow = new_shadow()});
  if (!options.screen.empty()) {
    courses.push_back({.recipes = std::make_unique<RecipeCourse>(recipes::listed(options.screen), false)});
  }
  if (!names_recipes(options.what_if)) return courses;
  for (const std::string& name : recipes::listed(options.what_if)) {
    courses.push_back({new_shadow(), std::make_unique<RecipeCourse>(std::vector{name}, true)});
  }
  return courses;
}

}  // namespace ampprof::profiler
