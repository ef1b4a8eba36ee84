// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/run_names.h"

#include <algorithm>
#include <cctype>

namespace ampprof::queries {

bool names_run(const std::string& wanted, std::int64_t id, const std::string& level) {
  const auto same = [](char a, char b) { return std::toupper(static_cast<unsigned char>(a)) == b; };
  return wanted == std::to_string(id) || std::equal(wanted.begin(), wanted.end(), level.begin(), level.end(), same);
}

}  // namespace ampprof::queries
