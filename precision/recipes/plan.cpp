// SPDX-License-Identifier: Apache-2.0
#include "precision/recipes/plan.h"

#include <algorithm>
#include <mutex>

#include "amp_core/policy/cast_rule.h"
#include "amp_core/policy/function_names.h"
#include "amp_core/policy/module_pattern.h"
#include "precision/formats/recipes/recipe_file.h"
#include "precision/recipes/with_amp_errors.h"

namespace amp::recipes {
namespace {

struct Planned {
  std::mutex mutex;
  std::string names;
};

Recipe read(const std::string& name) {
  return with_amp_errors([&] { return ampprof::recipes::recipe_from(name); });
}

Planned& planned() {
  static auto* const instance = new Planned();  // never destroyed: read until the process exits
  return *instance;
}

}  // namespace

Plan::Plan(const Policy& policy) {
  if (!policy.recipe.empty()) everywhere_ = recipe_of(policy.recipe);
  for (const FormatRule& rule : policy.formats) rules_.push_back(rule_of(rule));
  std::stable_partition(rules_.begin(), rules_.end(), [](const Rule& rule) { return rule.module.empty(); });
  const std::lock_guard lock(planned().mutex);
  planned().names.clear();
  for (const auto& [name, recipe] : recipes_) planned().names += (planned().names.empty() ? "" : "; ") + name;
}

std::shared_ptr<const Recipe> Plan::recipe_of(const std::string& name) {
  auto& recipe = recipes_[name];
  if (!recipe) recipe = std::make_shared<const Recipe>(read(name));
  return recipe;
}

Plan::Rule Plan::rule_of(const FormatRule& rule) {
  Rule made{.module = rule.module, .recipe = rule.is_quantized() ? recipe_of(rule.format) : nullptr};
  if (!rule.function.empty()) {
    for (const std::string& op : operators_of(rule.function)) made.operators.push_back(op_name_from(op).base);
  }
  for (const Matmul matmul : kMatmuls) {
    made.matmuls[matmul_index(matmul)] = rule.matmul.empty() || rule.matmul == name_of(matmul);
  }
  return made;
}

bool Plan::applies(const Rule& rule, std::string_view op, std::string_view module) {
  const bool is_named = rule.operators.empty() || std::ranges::find(rule.operators, op) != rule.operators.end();
  return is_named && (rule.module.empty() || matches_module(rule.module, module));
}

Formats Plan::formats_of(std::string_view op, std::string_view module) const {
  Formats formats;
  formats.of.fill(everywhere_);
  for (const Rule& rule : rules_) {
    if (!applies(rule, op, module)) continue;
    for (std::size_t i = 0; i < formats.of.size(); ++i) {
      if (rule.matmuls[i]) formats.of[i] = rule.recipe;
    }
  }
  return formats;
}

std::string recipes_planned() {
  const std::lock_guard lock(planned().mutex);
  return planned().names;
}

void check_format(const std::string& name) { static_cast<void>(read(name)); }

}  // namespace amp::recipes
