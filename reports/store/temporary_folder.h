// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <utility>

namespace ampprof::store {

/// A new folder below TMPDIR, which this guard removes.
class [[nodiscard]] TemporaryFolder {
 public:
  /// Throws std::filesystem::filesystem_error; its path1() is the pattern that was tried.
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// Leaves the folder to the caller, who removes it.
  std::filesystem::path release() { return std::exchange(path_, {}); }

 private:
  std::filesystem::path path_;
};

}  // namespace ampprof::store
