// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace ampprof::cli {

/// The LibTorch that this ampprof was built for, "2.11.0"; "" if it was built without.
std::string_view built_for_torch();

/// The version of the LibTorch whose libraries lie in `lib`, without its build suffix: "2.11.0". Read from the files
/// that the Python package or the C++ archive puts beside them; "" where none says.
std::string torch_version_of(const std::filesystem::path& lib);

}  // namespace ampprof::cli
