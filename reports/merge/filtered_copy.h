// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reports/merge/merge.h"
#include "reports/store/temporary_folder.h"

namespace ampprof::merge {

/// A copy of a report whose texts went through a filter, in a temporary folder which goes with it. Whatever is made of
/// the copy, it cannot tell what the copy does not hold.
class FilteredCopy {
 public:
  /// Throws ReportError where the report cannot be read or there is no room for the copy.
  FilteredCopy(const std::filesystem::path& report, const TextFilter& filter);

  /// Named report.ampprof, since a file name may tell who and where too.
  const std::filesystem::path& path() const { return path_; }

 private:
  store::TemporaryFolder folder_;
  std::filesystem::path path_;
};

}  // namespace ampprof::merge
