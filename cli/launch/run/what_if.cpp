// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/run/what_if.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <span>
#include <string_view>

#include "amp_core/levels/level.h"
#include "analysis/ops/nearest.h"
#include "precision/formats/recipes/listed.h"
#include "precision/formats/recipes/recipe_error.h"
#include "precision/formats/recipes/recipe_file.h"
#include "precision/formats/types/number_format.h"
#include "reports/text/listed.h"
#include "reports/text/usage_error.h"

namespace ampprof::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kTypesWithoutScale = 3;  // FP16, BF16 and TF32; 8-bit types need a scale

bool is_type(std::string_view name) {
  const auto types = std::span(error::kNumberFormats).first(kTypesWithoutScale);
  return std::ranges::any_of(types, [&](const error::NumberFormat& format) { return format.name == name; });
}

bool is_file(const std::string& recipe) {
  std::error_code ignored;
  return recipe.find('/') != std::string::npos || fs::is_regular_file(recipe, ignored);
}

/// Makes the path of a recipe file absolute, since the program's working directory may differ from ampprof's.
std::string with_whole_path(const std::string& recipe) {
  return is_file(recipe) ? fs::absolute(recipe).string() : recipe;
}

void refuse_unscaled(const std::string& flag, const std::string& name) {
  if (name != "fp8e4m3" && name != "fp8e5m2") return;
  throw text::UsageError(fmt::format(
      "{} {}: training in FP8 needs scales, which this type alone does not have. Use fp8_current, which scales each "
      "tensor, or another recipe.",
      flag, name));
}

/// Reads the whole recipe, not only its name: a file may be invalid.
void check_recipe(const std::string& flag, const std::string& name) {
  refuse_unscaled(flag, name);
  if (!is_file(name)) {
    const std::string first = name.substr(0, name.find(','));
    const std::vector<std::string> known = what_if_names();
    if (std::ranges::find(known, first) == known.end()) {
      throw text::UsageError(fmt::format("{}: '{}' is neither a type nor a recipe.{} Use one of {}, or a recipe file.",
                                         flag, first, analysis::did_you_mean(first, known), text::listed(known)));
    }
  }
  try {
    (void)recipes::recipe_from(name);
  } catch (const recipes::RecipeError& error) {
    throw text::UsageError(fmt::format("{}: {}", flag, error.what()));
  }
}

void append_to(std::string& list, const std::string& name) { list += (list.empty() ? "" : ",") + name; }

/// Checks a list with recipes. A type in such a list counts as a recipe.
void check_names(const std::string& flag, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    check_recipe(flag, name);
    if (std::ranges::count(names, name) > 1) {
      throw text::UsageError(
          fmt::format("{}: {} is named twice. To run it several times, add --repeat N.", flag, name));
    }
  }
}

void check_level_of_what_if(const RunOptions& options) {
  for (const std::string& level : options.levels) {
    if (amp::is_fp32_level(level)) continue;
    throw text::UsageError(
        fmt::format("--what-if needs a program in FP32; at {} its ops are in reduced precision already. Remove "
                    "--levels, or use O0.",
                    level));
  }
}

void check_assumed_scale(const RunOptions& options) {
  const std::string& what_if = options.record.what_if;
  if (!options.gives("--assume-scale") || is_type(what_if)) return;
  if (what_if.empty()) {
    throw text::UsageError("--assume-scale sets the loss scale of --what-if. Add --what-if fp16.");
  }
  throw text::UsageError(
      "--assume-scale applies to --what-if with a type; a recipe has its own scales. Remove --assume-scale.");
}

void check_reference_of(const RunOptions& options, std::string_view flag) {
  if (options.record.reference != recording::ReferenceMode::Off) return;
  throw text::UsageError(fmt::format("{} measures errors, which --reference off turns off. Remove one of them.", flag));
}

void check_screen(const RunOptions& options) {
  if (options.record.screen.empty()) return;
  check_names("--screen", recipes::listed(options.record.screen));
  check_reference_of(options, "--screen");
  if (!options.record.what_if.empty()) {
    throw text::UsageError(
        "--screen measures what operands lose; --what-if predicts how this changes the loss. Use one of them.");
  }
  if (options.record.inherited || options.record.impact) {
    throw text::UsageError(
        "--screen does not measure effects on the loss. For loss impacts, use --what-if with a recipe, without "
        "--inherited.");
  }
}

}  // namespace

std::vector<std::string> what_if_names() {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < kTypesWithoutScale; ++i) names.emplace_back(error::kNumberFormats[i].name);
  for (const recipes::Shipped& shipped : recipes::all_recipes()) {
    if (!is_type(shipped.recipe.name)) names.push_back(shipped.recipe.name);
  }
  return names;
}

bool asks_for_recipes(const RunOptions& options) {
  const std::string& what_if = options.record.what_if;
  return !options.record.screen.empty() || (!what_if.empty() && !is_type(what_if));
}

std::vector<std::string> what_ifs_of(const RunOptions& options) {
  if (options.record.what_if.empty()) return {""};
  std::vector<std::string> types;
  std::string recipes;
  for (const std::string& name : courses_of(options.record.what_if)) {
    is_type(name) ? types.push_back(name) : append_to(recipes, with_whole_path(name));
  }
  if (!recipes.empty()) types.push_back(recipes);
  return types;
}

std::vector<std::string> courses_of(const std::string& what_if) {
  if (what_if.empty() || is_type(what_if)) return {what_if};
  return recipes::listed(what_if);
}

std::string with_whole_paths(const std::string& names) {
  std::string whole;
  for (const std::string& name : recipes::listed(names)) append_to(whole, with_whole_path(name));
  return whole;
}

std::string name_of_what_if(const std::string& what_if) {
  return what_if.empty() || is_type(what_if) ? what_if : recipes::recipe_from(what_if).name;
}

void check_what_if(const RunOptions& options) {
  check_assumed_scale(options);
  if (asks_for_recipes(options) && !options.recipe.empty()) {
    throw text::UsageError(
        "--recipe runs the program in a recipe; --what-if and --screen only predict its effects. Use one of them.");
  }
  check_screen(options);
  if (options.record.what_if.empty()) return;
  const std::vector<std::string> names = courses_of(options.record.what_if);
  if (names.empty())
    throw text::UsageError(
        "--what-if: no type or recipe given. Write one, as in --what-if fp16 or --what-if mxfp8,nvfp4.");
  check_names("--what-if", names);
  check_reference_of(options, "--what-if");
  if (options.record.inherited) {
    throw text::UsageError(
        "--inherited measures rounding that takes place; --what-if predicts the effect of rounding that does not take "
        "place. Use one of them.");
  }
  check_level_of_what_if(options);
}

}  // namespace ampprof::cli
