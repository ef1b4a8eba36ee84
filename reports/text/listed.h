// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ampprof::text {

/// Returns "a, b and c"; `last` precedes the last name.
std::string listed(const std::vector<std::string>& names, std::string_view last = "and");

}  // namespace ampprof::text
