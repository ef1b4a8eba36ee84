// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace ampprof::store {

/// A file in the making: written under another name beside `path` and renamed into place, so that `path` is whole or
/// not there. Two processes that race for a name cannot overwrite each other. What was not put in place is removed.
class [[nodiscard]] NewFile {
 public:
  /// Throws WriteError with a sentence where `path` exists and `replace` is false, or where nothing can be written.
  /// `what` is what sentences call it: "report".
  NewFile(std::filesystem::path path, bool replace, std::string what);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  /// Where to write it.
  const std::filesystem::path& temporary() const { return temporary_; }
  /// Throws WriteError, also where someone else has taken the name meanwhile.
  void put_in_place();

 private:
  std::filesystem::path path_;
  std::filesystem::path temporary_;
  bool replace_;
  std::string what_;
};

}  // namespace ampprof::store
