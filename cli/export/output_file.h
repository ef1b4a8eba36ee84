// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "reports/store/new_file.h"

namespace ampprof::cli {

/// Makes a folder where there is none, for files that sentences call `what`. Throws WriteError with a sentence.
void make_folder(const std::filesystem::path& folder, const std::string& what);

/// A file in the making: whole or not there. See NewFile.
class OutputFile {
 public:
  /// Throws WriteError with a sentence.
  OutputFile(const std::filesystem::path& path, bool replace);

  std::ostream& stream() { return stream_; }
  /// Throws WriteError where the disk was full meanwhile.
  void put_in_place();

 private:
  std::filesystem::path path_;
  store::NewFile file_;
  std::ofstream stream_;
};

}  // namespace ampprof::cli
