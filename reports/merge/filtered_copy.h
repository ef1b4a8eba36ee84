// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reports/merge/merge.h"
#include "reports/store/temporary_folder.h"

namespace ampprof::merge {

/// A filtered copy of a report in a temporary folder, which is removed with the object. The copy is a new file, so its
/// free pages do not contain removed texts.
class FilteredCopy {
 public:
  /// Throws ReportError if the report cannot be read or the disk is full.
  FilteredCopy(const std::filesystem::path& report, const TextFilter& filter);

  /// Returns the path of the copy. Its name is report.ampprof, since the original name may identify somebody.
  const std::filesystem::path& path() const { return path_; }

 private:
  store::TemporaryFolder folder_;
  std::filesystem::path path_;
};

}  // namespace ampprof::merge
