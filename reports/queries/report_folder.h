// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

/// Reports in a folder, for those who may read there and nowhere else.
namespace ampprof::queries {

/// Holds a report and its size in bytes. The path is relative to the folder.
struct FoundReport {
  std::filesystem::path path;
  std::uintmax_t bytes = 0;
};

/// Returns the files *.ampprof in a folder and below, in the order of their paths; a thousand at most.
std::vector<FoundReport> reports_in(const std::filesystem::path& folder);

/// Returns the whole path of a report of that name. Returns nothing where it lies outside of the folder, also through
/// a link. `folder` is canonical.
std::optional<std::filesystem::path> path_within(const std::filesystem::path& folder, const std::string& name);

}  // namespace ampprof::queries
