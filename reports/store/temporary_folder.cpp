// SPDX-License-Identifier: Apache-2.0
#include "reports/store/temporary_folder.h"

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>

namespace ampprof::store {

namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder() {
  // Uses TMPDIR even if it is not a folder, so that the error names it, unlike that of fs::temp_directory_path().
  const char* const said = std::getenv("TMPDIR");
  std::string pattern = (said != nullptr && *said != 0 ? fs::path(said) : fs::temp_directory_path()) / "ampprof-XXXXXX";
  if (::mkdtemp(pattern.data()) == nullptr) {
    throw fs::filesystem_error("mkdtemp", pattern, std::error_code(errno, std::generic_category()));
  }
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace ampprof::store
