// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/report_folder.h"

#include <algorithm>
#include <system_error>

namespace ampprof::queries {

namespace fs = std::filesystem;

std::vector<FoundReport> reports_in(const fs::path& folder) {
  constexpr std::size_t kMost = 1000;
  std::vector<FoundReport> found;
  const auto options = fs::directory_options::skip_permission_denied;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder, options)) {
    if (entry.path().extension() != ".ampprof" || !entry.is_regular_file()) continue;
    if (found.size() == kMost) break;
    found.push_back({entry.path().lexically_relative(folder), entry.file_size()});
  }
  std::ranges::sort(found, {}, &FoundReport::path);
  return found;
}

std::optional<fs::path> path_within(const fs::path& folder, const std::string& name) {
  std::error_code error;
  const fs::path path = fs::weakly_canonical(folder / name, error);
  if (error || std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first != folder.end()) return {};
  return path;
}

}  // namespace ampprof::queries
