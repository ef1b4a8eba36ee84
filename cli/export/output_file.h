// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "reports/store/new_file.h"

namespace ampprof::cli {

/// Creates a folder if needed. `what` names its files in errors. Throws WriteError.
void make_folder(const std::filesystem::path& folder, const std::string& what);

/// An output file that appears complete or not at all (store::NewFile).
class OutputFile {
 public:
  /// Throws WriteError if the file cannot be created, or exists and `replace` is false.
  OutputFile(const std::filesystem::path& path, bool replace);

  std::ostream& stream() { return stream_; }
  /// Makes the complete file appear at its path. Throws WriteError if the disk has become full.
  void put_in_place();

 private:
  std::filesystem::path path_;
  store::NewFile file_;
  std::ofstream stream_;
};

}  // namespace ampprof::cli
