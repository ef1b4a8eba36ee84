// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "amp_core/levels/model_type.h"

namespace amp {

enum class OptLevel { O0, O1, O2, O3 };

/// One opt level: what it is called, what it does by default, what it needs. An empty setting does not apply there.
///
/// To add one: an enumerator here, a row in level.cpp. Whoever asks what a level does asks this table: by OptLevel, or
/// by a name out of a report or a command line, where "" and unknown names stand for a program that decides itself.
struct Level {
  OptLevel level = OptLevel::O0;
  std::string_view name = {};
  std::string_view description = {};                      ///< a sentence, as the banner prints it
  std::optional<ModelType> cast_model_type = {};          ///< what parameters and inputs are cast to
  bool patches_functions = false;                         ///< casts at function calls, by a list; the model stays FP32
  std::optional<bool> keep_batchnorm_fp32 = {};
  std::optional<bool> master_weights = {};
  std::optional<double> loss_scale = {};                  ///< empty: dynamic

  bool has_half_model() const { return cast_model_type && cast_model_type->reduced(); }
  bool is_fp32() const { return !has_half_model() && !patches_functions; }
  /// Whether only amp_core can run it. Casts at function calls can be injected into any program; a half model cannot.
  bool needs_amp_core() const { return has_half_model(); }
};

/// All levels, ascending.
std::span<const Level> levels();

const Level& level_of(OptLevel level);

/// The level of this name, "O1"; null for any other text.
const Level* find_level(std::string_view name);

/// Returns the level of this name. Throws Error, with the names that there are, for any other text.
OptLevel opt_level_from(std::string_view name);

std::string_view name_of(OptLevel level);

/// Names of all levels, ascending; or of those for which `property` holds.
std::vector<std::string> level_names();
std::vector<std::string> level_names(bool (Level::*property)() const);

/// Name of the level that casts at function calls: the one that can be injected, and that registrations count at.
std::string_view level_that_patches();

/// Properties of a level by its name; false for "" and unknown names.
bool is_fp32_level(std::string_view name);
bool patches_functions(std::string_view name);
bool has_half_model(std::string_view name);
bool needs_amp_core(std::string_view name);

}  // namespace amp
