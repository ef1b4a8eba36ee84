// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>

#include "reports/store/temporary_folder.h"

namespace ampprof::queries {

/// A copy of a report and its write-ahead log in a temporary folder, which is removed with the object. Both files are
/// of the same moment even while another process writes them. Leaves out the log's index (-shm), which SQLite rebuilds.
class TemporaryCopy {
 public:
  /// Throws ReportError if the disk is full, or if the report keeps changing.
  explicit TemporaryCopy(const std::filesystem::path& report);
  TemporaryCopy(const TemporaryCopy&) = delete;
  TemporaryCopy& operator=(const TemporaryCopy&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::optional<store::TemporaryFolder> folder_;
  std::filesystem::path path_;
};

}  // namespace ampprof::queries
