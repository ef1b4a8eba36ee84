// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ampprof::recipes {

/// Splits a comma-separated list of recipes. A switch is part of the recipe before it: "mxfp8,nvfp4,no_hadamard"
/// becomes "mxfp8" and "nvfp4,no_hadamard".
std::vector<std::string> listed(std::string_view text);

}  // namespace ampprof::recipes
