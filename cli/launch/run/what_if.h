// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/launch/program/options.h"

namespace ampprof::cli {

/// Returns the values of `--what-if`: types, which apply to every op, then recipes, which apply to matmuls.
std::vector<std::string> what_if_names();

/// Returns whether `--what-if` names recipes, or `--screen` does.
bool asks_for_recipes(const RunOptions& options);

/// Returns one string for each execution of the program that `--what-if` needs: a type, or all recipes separated by
/// commas, as names or absolute paths of recipe files. Without the flag, returns one empty string.
std::vector<std::string> what_ifs_of(const RunOptions& options);

/// Splits a string of what_ifs_of() into the parts that have a run of their own in the report: the type, or each
/// recipe.
std::vector<std::string> courses_of(const std::string& what_if);

/// Returns `names`, which commas separate, with absolute paths for recipe files.
std::string with_whole_paths(const std::string& names);

/// Returns the name of a part from courses_of(); for a file, the name of the recipe in it.
std::string name_of_what_if(const std::string& what_if);

/// Throws UsageError for an unknown type or recipe, and for incompatible flags.
void check_what_if(const RunOptions& options);

}  // namespace ampprof::cli
