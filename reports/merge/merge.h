// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace ampprof::merge {

/// One run, with its ids in the source and in the target.
struct MergedRun {
  std::filesystem::path source;
  std::int64_t source_run = 0;
  std::int64_t run = 0;
  bool is_repeated = false;  ///< not copied: an earlier source has the same run, which is `run` in the target

  bool operator==(const MergedRun&) const = default;
};

/// Filters one text of a report; see anonymize.h.
using TextFilter = std::function<std::string(const std::string& table, const std::string& column, std::string text)>;

/// Writes the runs of `sources`, in order and numbered from 1, into a new report `target`. The views show the same for
/// each run as before the merge. A run in several sources is copied once. Sources are untrusted and opened read-only,
/// each as of one moment.
///
/// Throws WriteError if `target` exists and `replace` is false, or if it cannot be written. Throws ReportError if a
/// source cannot be read or has a schema version that this ampprof does not write. Creates no file if it throws.
std::vector<MergedRun> merge_reports(const std::vector<std::filesystem::path>& sources,
                                     const std::filesystem::path& target, bool replace,
                                     const TextFilter& filter = nullptr);

}  // namespace ampprof::merge
