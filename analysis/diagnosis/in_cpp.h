// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace ampprof::analysis {

/// Returns whether a place "FILE:LINE" lies in a C++ source file.
bool is_cpp_source(std::string_view source);

/// Returns code of a remedy, which rules write in Python, as a C++ program on LibTorch or amp_core has it; "" where C++
/// has no such thing, and lines of a policy file as they are.
std::string in_cpp(std::string_view python);

}  // namespace ampprof::analysis
