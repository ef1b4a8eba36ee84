// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace ampprof::merge {

/// One run, as the reports call it that it came from and went to.
struct MergedRun {
  std::filesystem::path source;
  std::int64_t source_run = 0;
  std::int64_t run = 0;
  bool is_repeated = false;  ///< an earlier source holds it too, as `run`; it was not copied again

  bool operator==(const MergedRun&) const = default;
};

/// Returns what becomes of one text of a report on its way; see anonymize.h.
using TextFilter = std::function<std::string(const std::string& table, const std::string& column, std::string text)>;

/// Writes the runs of `sources`, in their order and numbered from 1, into a new report `target`. Every view of a run is
/// what it was. A run is recognized where it was copied before: it is held once. Sources are untrusted and only read,
/// each as of one moment.
///
/// Throws WriteError where `target` exists and `replace` is false, or where it cannot be written, and ReportError where
/// a source cannot be read or has another schema version than this ampprof writes; then there is no new file.
std::vector<MergedRun> merge_reports(const std::vector<std::filesystem::path>& sources,
                                     const std::filesystem::path& target, bool replace,
                                     const TextFilter& filter = nullptr);

}  // namespace ampprof::merge
