// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "precision/advice/recipes/recipe_advice.h"

namespace ampprof::advice {

/// Formats for the matmuls of modules that match a pattern.
struct ModuleFormats {
  std::string pattern;             ///< "blocks.*.fc1": a path, `*` for any one component
  OfMatmuls<std::string> formats;  ///< format of each matmul; "" if the layer has no such matmul
  std::string op = {};             ///< limits the rule to this op; "" for all ops of these modules

  bool operator==(const ModuleFormats&) const = default;
};

/// Returns rules for all groups of linear layers. If several rules match a module or a parent of it, the last one wins,
/// so a rule for a submodule comes after those for its parents. A rule names an op if the module, or a submodule, calls
/// another op with matmuls, or if the module has the name of a function.
std::vector<ModuleFormats> module_formats(const RecipeAdvice& advice);

/// A module and one op with matmuls that it calls.
struct ModuleOp {
  std::string module;
  std::string op;
};

/// Returns the line of a policy file that sets the format of one matmul of a layer, "blocks.0.up dgrad bf16", without a
/// line end. The line names the op if the module, or a submodule, calls another op of `layers`. Without a module the
/// line applies to all calls of the op.
std::string format_line(const std::vector<RecipeLayer>& layers, const ModuleOp& of, std::size_t matmul,
                        const std::string& format);

/// Returns a policy file: `blocks.*.fc1 mxfp8`, `blocks.*.fc2 dgrad bf16`.
std::string policy_file(const RecipeAdvice& advice);

/// Returns a Python module for Transformer Engine: a factory for its CustomRecipe, and a function that gives modules
/// the names that the factory expects. Throws amp::Error if Transformer Engine has no quantizer for a format.
std::string transformer_engine_code(const RecipeAdvice& advice);

}  // namespace ampprof::advice
