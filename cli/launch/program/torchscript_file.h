// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace ampprof::cli {

/// Returns whether an argument means a TorchScript model: its name ends in .pt, .pth, .ts, .torchscript or .pt2.
bool looks_like_model(const std::filesystem::path& file);

/// Returns the names of the entries of a zip archive, from its central directory; empty if the file is not a readable
/// zip archive.
std::vector<std::string> zip_entries(const std::filesystem::path& file);

/// Returns a sentence on why a file is not a TorchScript model, with a remedy; "" if it is one.
std::string why_not_model(const std::filesystem::path& file);

}  // namespace ampprof::cli
