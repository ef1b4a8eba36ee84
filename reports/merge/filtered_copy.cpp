// SPDX-License-Identifier: Apache-2.0
#include "reports/merge/filtered_copy.h"

#include "reports/store/report_error.h"

namespace ampprof::merge {
namespace {

store::TemporaryFolder make_folder() {
  try {
    return store::TemporaryFolder();
  } catch (const std::filesystem::filesystem_error& error) {
    throw store::WriteError("cannot make a temporary copy in " + error.path1().string() + " (" +
                            error.code().message() + "); set TMPDIR to a directory with room for it");
  }
}

}  // namespace

FilteredCopy::FilteredCopy(const std::filesystem::path& report, const TextFilter& filter)
    : folder_(make_folder()), path_(folder_.path() / "report.ampprof") {
  merge_reports({report}, path_, false, filter);
}

}  // namespace ampprof::merge
