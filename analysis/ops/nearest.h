// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ampprof::analysis {

/// The name that `typed` was probably meant to be: least edits, at most a third of its length and one; "" if none is.
std::string nearest(std::string_view typed, const std::vector<std::string>& names);

/// " Did you mean 'run'?" or "".
std::string did_you_mean(std::string_view typed, const std::vector<std::string>& names);

}  // namespace ampprof::analysis
