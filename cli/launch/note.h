// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>

namespace ampprof::cli {

/// Says something beside what is printed.
inline void note(const std::string& sentence) { fmt::print(stderr, "ampprof: {}\n", sentence); }

}  // namespace ampprof::cli
