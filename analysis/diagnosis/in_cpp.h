// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace ampprof::analysis {

/// Returns whether `source`, a "FILE:LINE", is in a C++ source file.
bool is_cpp_source(std::string_view source);

/// Translates the code of a remedy from Python, which rules write, to C++ on LibTorch or amp_core. Returns "" if C++
/// has no counterpart. Returns lines of a policy file unchanged.
std::string in_cpp(std::string_view python);

}  // namespace ampprof::analysis
