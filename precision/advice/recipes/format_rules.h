// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "precision/advice/recipes/recipe_advice.h"

namespace ampprof::advice {

/// Formats of the matmuls of the modules that a pattern names.
struct ModuleFormats {
  std::string pattern;             ///< "blocks.*.fc1": a path, `*` for any one component
  OfMatmuls<std::string> formats;  ///< "" where there is no such matmul
  std::string op = {};             ///< that alone is meant; "" for all in these modules

  bool operator==(const ModuleFormats&) const = default;
};

/// Returns rules for all groups of linear layers. Of those that name a module, or one that it is inside of, the last
/// counts: a rule for a path stands behind those for what it is in. Rules name an op where a module, or one inside it,
/// calls another one with matmuls, and where a module has the name of a function.
std::vector<ModuleFormats> module_formats(const RecipeAdvice& advice);

/// A module, and the op of its that has matmuls.
struct ModuleOp {
  std::string module;
  std::string op;
};

/// Returns the line that gives one matmul of a layer a format, "blocks.0.up dgrad bf16", without its end. It names the
/// op where the module, or one inside it, calls another one of `layers`, and where there is no module: then it is about
/// all calls of that op.
std::string format_line(const std::vector<RecipeLayer>& layers, const ModuleOp& of, std::size_t matmul,
                        const std::string& format);

/// Returns a policy file: `blocks.*.fc1 mxfp8`, `blocks.*.fc2 dgrad bf16`.
std::string policy_file(const RecipeAdvice& advice);

/// Returns a Python module for Transformer Engine: a factory for its CustomRecipe, and a function that gives modules
/// the names by which the factory knows them. Throws amp::Error, a sentence, where Transformer Engine has no quantizer
/// for a format.
std::string transformer_engine_code(const RecipeAdvice& advice);

}  // namespace ampprof::advice
