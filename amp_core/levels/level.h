// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "amp_core/levels/model_type.h"

namespace amp {

/// An opt level of Apex.
enum class OptLevel { O0, O1, O2, O3 };

/// One opt level: its name, defaults and requirements. An empty setting does not apply at the level.
///
/// To add one: an enumerator here, a row in level.cpp. Callers look up a level by OptLevel, or by a name from a report
/// or a command line. In reports and command lines, "" and unknown names mean that no level is set: the program chooses
/// its types.
struct Level {
  OptLevel level = OptLevel::O0;
  std::string_view name = {};
  std::string_view description = {};                      ///< a sentence for the banner
  std::optional<ModelType> cast_model_type = {};          ///< the type to which parameters and inputs are cast
  bool patches_functions = false;                         ///< casts at function calls, by a list; the model stays FP32
  std::optional<bool> keep_batchnorm_fp32 = {};
  std::optional<bool> master_weights = {};
  std::optional<double> loss_scale = {};                  ///< empty if dynamic

  bool has_half_model() const { return cast_model_type && cast_model_type->reduced(); }
  bool is_fp32() const { return !has_half_model() && !patches_functions; }
  /// Tells whether only programs on amp_core can run the level. Casts at function calls can be injected into any
  /// program; a half model cannot.
  bool needs_amp_core() const { return has_half_model(); }
};

/// Returns all levels, ascending.
std::span<const Level> levels();

/// Returns the description of a level.
const Level& level_of(OptLevel level);

/// Returns the level of this name, "O1"; null for any other text.
const Level* find_level(std::string_view name);

/// Returns the level of this name. For other texts throws Error with the valid names.
OptLevel opt_level_from(std::string_view name);

/// Returns the name of a level, "O1".
std::string_view name_of(OptLevel level);

/// Returns the names of all levels, ascending.
std::vector<std::string> level_names();
/// Returns the names of the levels for which `property` holds, ascending.
std::vector<std::string> level_names(bool (Level::*property)() const);

/// Returns the name of the level that casts at function calls. Only this level can be injected into programs, and
/// registered functions apply to it.
std::string_view level_that_patches();

/// Returns whether a level computes in FP32 alone. This function and the next three return false for unknown names.
bool is_fp32_level(std::string_view name);
/// Returns whether a level casts at function calls.
bool patches_functions(std::string_view name);
/// Returns whether a level casts the model to a reduced type.
bool has_half_model(std::string_view name);
/// Returns whether only a program on amp_core can run a level.
bool needs_amp_core(std::string_view name);

}  // namespace amp
