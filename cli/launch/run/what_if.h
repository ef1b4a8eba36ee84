// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/launch/program/options.h"

namespace ampprof::cli {

/// Returns the names for `--what-if`: types to judge each op in, then recipes.
std::vector<std::string> what_if_names();

/// Returns whether `--what-if` names recipes, or `--screen` does.
bool asks_for_recipes(const RunOptions& options);

/// Returns one text for each run of the program for `--what-if`: a type, or all recipes separated by commas, as names
/// or full paths of recipe files. Without the flag, one empty text.
std::vector<std::string> what_ifs_of(const RunOptions& options);

/// Returns the parts of such a text with a run of their own in the report, in order: the type, or each recipe.
std::vector<std::string> courses_of(const std::string& what_if);

/// Returns recipes separated by commas, with full paths of files.
std::string with_whole_paths(const std::string& names);

/// Returns the name of a part from courses_of(); for a file, that of its recipe.
std::string name_of_what_if(const std::string& what_if);

/// Throws UsageError for an unknown type or recipe, and for incompatible flags.
void check_what_if(const RunOptions& options);

}  // namespace ampprof::cli
