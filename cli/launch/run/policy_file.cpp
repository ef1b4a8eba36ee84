// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/run/policy_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "amp_core/levels/level.h"
#include "amp_core/levels/properties.h"
#include "amp_core/policy/function_names.h"
#include "amp_core/policy/policy.h"
#include "cli/launch/program/torch_version.h"
#include "precision/formats/recipes/recipe_error.h"
#include "precision/formats/recipes/recipe_file.h"
#include "reports/text/usage_error.h"

namespace ampprof::cli {
namespace {

using Operators = std::vector<std::string>;

/// Returns the operator names in a file; empty if the file is missing, and then any name passes.
Operators operators_in(const std::filesystem::path& file) {
  std::ifstream lines(file);
  Operators names;
  for (std::string line; std::getline(lines, line);) names.push_back(line);
  return names;
}

bool is_known(const std::string& op, const Operators& of_torch) {
  std::string name = amp::op_name_from(op).base;
  if (name.find("::") != std::string::npos || of_torch.empty()) return true;
  if (amp::is_in_place(name)) name.pop_back();
  return std::ranges::find(of_torch, name) != of_torch.end();
}

void check_op(const amp::CastRule& rule, const Operators& of_torch, const std::string& torch) {
  const auto operators = amp::operators_of(rule.op);
  if (std::ranges::any_of(operators, [&](const std::string& op) { return is_known(op, of_torch); })) return;
  std::vector<std::string> names = amp::function_names();
  names.insert(names.end(), of_torch.begin(), of_torch.end());
  throw amp::Error(fmt::format("LibTorch {} has no op {}.{}", torch, rule.op, amp::did_you_mean(rule.op, names)));
}

/// Throws amp::Error for an invalid recipe: the policy parser adds the line number only to that type.
void check_format(const std::string& recipe) {
  try {
    recipes::recipe_from(recipe);
  } catch (const recipes::RecipeError& error) {
    throw amp::Error(error.what());
  }
}

bool registrations_count(const RunOptions& options) {
  // Without --levels, the program's own autocast or engine applies the rules. Rules for a recipe apply at every level.
  if (options.levels.empty() || runs_in_recipe(options)) return true;
  return std::ranges::any_of(options.levels, amp::patches_functions);
}

}  // namespace

bool runs_in_recipe(const RunOptions& options) {
  if (!options.recipe.empty()) return true;
  if (options.policy.empty()) return false;
  try {
    return amp::parse_policy(amp::policy_file_text(options.policy), options.policy).has_recipe();
  } catch (const amp::Error&) {
    return false;  // check_policy() reports the error
  }
}

void check_recipe(const RunOptions& options) {
  if (!runs_in_recipe(options)) return;
  try {
    if (!options.recipe.empty()) recipes::recipe_from(options.recipe);
  } catch (const recipes::RecipeError& error) {
    throw text::UsageError(fmt::format("--recipe: {}", error.what()));
  }
  for (const std::string& level : options.levels) {
    if (!amp::has_half_model(level)) continue;
    throw text::UsageError(
        fmt::format("--recipe works at O0 and O1 only, because {} converts the model to half precision. Remove {}, or "
                    "use O1: --levels O1 --type bf16",
                    level, level));
  }
  if (options.record.inherited) {
    throw text::UsageError(
        "--inherited is not supported with --recipe. Remove it. --impact measures what the recipe does to the loss.");
  }
}

void check_policy(const RunOptions& options, const Program& program, const Installation& installation) {
  if (options.policy.empty()) return;
  const std::string torch = version_or_default(program.torch, installation);
  const Operators of_torch = operators_in(installation.for_torch(torch).operators());
  try {
    amp::parse_policy(
        amp::policy_file_text(options.policy), options.policy,
        [&](const amp::CastRule& rule) { check_op(rule, of_torch, torch); }, check_format);
  } catch (const amp::Error& error) {
    throw text::UsageError(fmt::format("--policy: {}", error.what()));
  }
  if (registrations_count(options)) return;
  throw text::UsageError("--policy sets the types of functions at O1, but no run is at O1. Add it: --levels O0,O1");
}

}  // namespace ampprof::cli
