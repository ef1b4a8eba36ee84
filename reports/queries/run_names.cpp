// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/run_names.h"

#include <algorithm>
#include <cctype>

namespace ampprof::queries {

bool names_run(const std::string& wanted, std::int64_t id, const std::string& level) {
  const auto same = [](char a, char b) { return std::toupper(static_cast<unsigned char>(a)) == b; };
  return wanted == std::to_string(id) || std::equal(wanted.begin(), wanted.end(), level.begin(), level.end(), same);
}

bool is_one_of_many(const RunRow& run) { return run.rank && run.world_size.value_or(2) > 1; }

std::string rank_mark(const RunRow& run) { return is_one_of_many(run) ? " rank " + std::to_string(*run.rank) : ""; }

}  // namespace ampprof::queries
