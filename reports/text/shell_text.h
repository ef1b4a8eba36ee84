// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace ampprof::text {

/// A command line as a person would type it: arguments quoted where a shell needs it.
std::string shell_text(const std::vector<std::string>& arguments);

}  // namespace ampprof::text
