// SPDX-License-Identifier: Apache-2.0
#include "amp_core/levels/level.h"

#include <algorithm>
#include <array>

#include "amp_core/levels/error.h"

namespace amp {
namespace {

// In the order of OptLevel.
constexpr std::array kLevels{
    Level{.level = OptLevel::O0,
          .name = "O0",
          .description = "Everything in FP32.",
          .cast_model_type = ModelType::Float32,
          .master_weights = false,
          .loss_scale = 1.0},
    Level{.level = OptLevel::O1,
          .name = "O1",
          .description =
              "Casts at function calls: FP16 where it is fast and safe, FP32 where it is not. The model stays FP32.",
          .patches_functions = true},
    Level{.level = OptLevel::O2,
          .name = "O2",
          .description = "FP16 model with FP32 batch norm, FP32 master weights and a dynamic loss scale.",
          .cast_model_type = ReducedType::Float16,
          .keep_batchnorm_fp32 = true,
          .master_weights = true},
    Level{.level = OptLevel::O3,
          .name = "O3",
          .description = "Everything in FP16.",
          .cast_model_type = ReducedType::Float16,
          .keep_batchnorm_fp32 = false,
          .master_weights = false,
          .loss_scale = 1.0},
};

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " and " : ", ";
    text += names[i];
  }
  return text;
}

}  // namespace

std::span<const Level> levels() { return kLevels; }

const Level& level_of(OptLevel level) { return kLevels.at(static_cast<std::size_t>(level)); }

const Level* find_level(std::string_view name) {
  const auto* found = std::ranges::find(kLevels, name, &Level::name);
  return found == kLevels.end() ? nullptr : found;
}

OptLevel opt_level_from(std::string_view name) {
  if (const Level* level = find_level(name)) return level->level;
  throw Error("Unexpected optimization level \"" + std::string(name) + "\". The levels are " + listed(level_names()) +
              "; the prefix is the letter O, not the number zero.");
}

std::string_view name_of(OptLevel level) { return level_of(level).name; }

std::vector<std::string> level_names() {
  std::vector<std::string> names;
  for (const Level& level : kLevels) names.emplace_back(level.name);
  return names;
}

std::vector<std::string> level_names(bool (Level::*property)() const) {
  std::vector<std::string> names;
  for (const Level& level : kLevels) {
    if ((level.*property)()) names.emplace_back(level.name);
  }
  return names;
}

std::string_view level_that_patches() { return std::ranges::find_if(kLevels, &Level::patches_functions)->name; }

bool is_fp32_level(std::string_view name) {
  const Level* level = find_level(name);
  return level != nullptr && level->is_fp32();
}

bool patches_functions(std::string_view name) {
  const Level* level = find_level(name);
  return level != nullptr && level->patches_functions;
}

bool has_half_model(std::string_view name) {
  const Level* level = find_level(name);
  return level != nullptr && level->has_half_model();
}

bool needs_amp_core(std::string_view name) {
  const Level* level = find_level(name);
  return level != nullptr && level->needs_amp_core();
}

}  // namespace amp
