// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ampprof::recipes {

/// Returns the recipes of a list by commas. A switch belongs to the recipe before it: "mxfp8,nvfp4,no_hadamard" are
/// "mxfp8" and "nvfp4,no_hadamard".
std::vector<std::string> listed(std::string_view text);

}  // namespace ampprof::recipes
