// SPDX-License-Identifier: Apache-2.0
#include "reports/merge/filtered_copy.h"

#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "reports/store/report_error.h"

namespace ampprof {
namespace {

namespace fs = std::filesystem;

fs::path make_folder() {
  std::error_code no_folder;
  std::string pattern = fs::temp_directory_path(no_folder) / "ampprof-XXXXXX";
  if (::mkdtemp(pattern.data()) != nullptr) return pattern;
  throw WriteError("cannot make a temporary copy in " + pattern + " (" + std::generic_category().message(errno) +
                   "); set TMPDIR to a folder with room for one");
}

void remove_quietly(const fs::path& folder) {
  std::error_code ignored;
  fs::remove_all(folder, ignored);
}

}  // namespace

FilteredCopy::FilteredCopy(const fs::path& report, const TextFilter& filter) : path_(make_folder() / "report.ampprof") {
  try {
    merge_reports({report}, path_, false, filter);
  } catch (...) {
    remove_quietly(path_.parent_path());
    throw;
  }
}

FilteredCopy::~FilteredCopy() { remove_quietly(path_.parent_path()); }

}  // namespace ampprof
