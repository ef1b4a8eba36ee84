// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace ampprof::store {

/// A new file, written under another name next to `path` and then renamed, so that `path` appears complete or not at
/// all. Two processes that race for a name cannot overwrite each other. The destructor removes the file unless
/// put_in_place() has renamed it.
class [[nodiscard]] NewFile {
 public:
  /// Throws WriteError with a sentence if `path` exists and `replace` is false, or if nothing can be written. `what`
  /// names the file in error messages: "report".
  NewFile(std::filesystem::path path, bool replace, std::string what);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  /// Path to write to.
  const std::filesystem::path& temporary() const { return temporary_; }
  /// Renames the file to `path`. Throws WriteError, also if another process has taken the name meanwhile.
  void put_in_place();

 private:
  std::filesystem::path path_;
  std::filesystem::path temporary_;
  bool replace_;
  std::string what_;
};

}  // namespace ampprof::store
