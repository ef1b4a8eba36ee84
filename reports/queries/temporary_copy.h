// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>

#include "reports/store/temporary_folder.h"

namespace ampprof::queries {

/// A copy of a report and its write-ahead log in a temporary folder, which goes with it. Both files are of the same
/// moment even while another process writes them. The log's index (-shm) is not copied: SQLite builds it anew.
class TemporaryCopy {
 public:
  /// Throws ReportError where there is no room, or the report never holds still.
  explicit TemporaryCopy(const std::filesystem::path& report);
  TemporaryCopy(const TemporaryCopy&) = delete;
  TemporaryCopy& operator=(const TemporaryCopy&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::optional<store::TemporaryFolder> folder_;
  std::filesystem::path path_;
};

}  // namespace ampprof::queries
