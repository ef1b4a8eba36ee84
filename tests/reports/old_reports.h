// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace ampprof::testing_reports {

/// Returns the reports in old/, which other versions of ampprof wrote, sorted by name.
inline std::vector<std::filesystem::path> old_reports() {
  std::vector<std::filesystem::path> reports;
  for (const auto& entry : std::filesystem::directory_iterator(AMPPROF_OLD_REPORTS)) {
    if (entry.path().extension() == ".ampprof") reports.push_back(entry.path());
  }
  std::ranges::sort(reports);
  return reports;
}

}  // namespace ampprof::testing_reports
