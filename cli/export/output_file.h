// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "reports/store/new_file.h"

namespace ampprof::cli {

/// Creates a folder if needed, for files that sentences call `what`. Throws WriteError with a sentence.
void make_folder(const std::filesystem::path& folder, const std::string& what);

/// An output file that appears complete or not at all. See NewFile.
class OutputFile {
 public:
  /// Throws WriteError with a sentence.
  OutputFile(const std::filesystem::path& path, bool replace);

  std::ostream& stream() { return stream_; }
  /// Throws WriteError if the disk has become full.
  void put_in_place();

 private:
  std::filesystem::path path_;
  store::NewFile file_;
  std::ofstream stream_;
};

}  // namespace ampprof::cli
