// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace ampprof::cli {

/// Whether an argument is meant as a TorchScript model: its name ends in .pt, .pth, .ts, .torchscript or .pt2.
bool looks_like_model(const std::filesystem::path& file);

/// Names of the entries of a zip archive, from its central directory; empty if the file is no readable zip archive.
std::vector<std::string> zip_entries(const std::filesystem::path& file);

/// Returns what keeps a file from being a TorchScript model, as a sentence that says what to do; "" if nothing does.
std::string objection_to_model(const std::filesystem::path& file);

}  // namespace ampprof::cli
