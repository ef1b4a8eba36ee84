// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace ampprof::text {

/// "a, b and c".
std::string listed(const std::vector<std::string>& names);

}  // namespace ampprof::text
