// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/checksums.h"

#include "reports/store/sqlite.h"

namespace ampprof::queries {

namespace {

// A row of an unknown segment has no place that another rank could have, too.
constexpr const char* kChecksums =
    "SELECT s.step, s.position, c.parameter, c.checksum FROM parameter_checksum c "
    "JOIN segment s ON s.run = c.run AND s.id = c.segment WHERE c.run = ? ORDER BY 1, 2, 3";

}  // namespace

std::vector<ChecksumRow> parameter_checksums(const Report& report, std::int64_t run) {
  store::Statement rows(report, kChecksums);
  rows.put(run);
  std::vector<ChecksumRow> checksums;
  while (rows.next()) {
    ChecksumRow& row = checksums.emplace_back();
    row.place.step = rows.integer();
    row.place.position = static_cast<std::int32_t>(rows.integer());
    row.place.parameter = rows.text();
    row.checksum = rows.integer();
  }
  return checksums;
}

}  // namespace ampprof::queries
