// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

/// Reports in a folder, for clients that may read files only in this folder.
namespace ampprof::queries {

/// Holds a report and its size in bytes. The path is relative to the folder.
struct FoundReport {
  std::filesystem::path path;
  std::uintmax_t bytes = 0;
};

/// Returns the files *.ampprof in a folder and below, ordered by path; at most a thousand.
std::vector<FoundReport> reports_in(const std::filesystem::path& folder);

/// Returns the full path of a report with that name. Returns nothing if the path leads outside of the folder, for
/// example through a symbolic link. `folder` must be canonical.
std::optional<std::filesystem::path> path_within(const std::filesystem::path& folder, const std::string& name);

}  // namespace ampprof::queries
