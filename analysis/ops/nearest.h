// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ampprof::analysis {

/// Returns the name that `typed` was probably meant to be: the one with the fewest edits, at most one for each three
/// letters of `typed` (at least one); "" if none is that near. A swap of neighbours is one edit.
std::string nearest(std::string_view typed, const std::vector<std::string>& names);

/// Returns " Did you mean 'run'?" or "".
std::string did_you_mean(std::string_view typed, const std::vector<std::string>& names);

}  // namespace ampprof::analysis
