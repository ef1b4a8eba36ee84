// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>

namespace ampprof::cli {

/// Prints a remark on stderr, which keeps stdout for output.
inline void note(const std::string& sentence) { fmt::print(stderr, "ampprof: {}\n", sentence); }

}  // namespace ampprof::cli
