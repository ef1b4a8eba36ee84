// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fstream>

#include "reports/store/new_file.h"

namespace ampprof::cli {

/// A text file in the making: whole or not there. See NewFile.
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
