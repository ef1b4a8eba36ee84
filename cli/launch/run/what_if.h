// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/launch/program/options.h"

namespace ampprof::cli {

/// Returns what `--what-if` takes by name: types that each op is judged in, then recipes.
std::vector<std::string> what_if_names();

/// Returns whether `--what-if` asks for recipes, or `--screen` does.
bool asks_for_recipes(const RunOptions& options);

/// Returns one text for each time that the program runs for `--what-if`: a type, or all recipes by commas, by their
/// names, or of recipe files by their whole paths. One empty text without the flag.
std::vector<std::string> what_ifs_of(const RunOptions& options);

/// Returns the parts of such a text that have a run of their own in the report, in its order: the type, or each recipe.
std::vector<std::string> courses_of(const std::string& what_if);

/// Returns recipes by commas, files by their whole path.
std::string with_whole_paths(const std::string& names);

/// Returns the name of what courses_of() gives: of a file its recipe's.
std::string name_of_what_if(const std::string& what_if);

/// Throws UsageError for a type or recipe that there is not, and for flags that do not go with them.
void check_what_if(const RunOptions& options);

}  // namespace ampprof::cli
