// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/checksums.h"

#include "reports/store/sqlite.h"

namespace ampprof::queries {

namespace {

// A row of an unknown segment has no counterpart on other ranks.
constexpr const char* kChecksums =
    "SELECT s.step, s.position, c.parameter, c.checksum FROM parameter_checksum c "
    "JOIN segment s ON s.run = c.run AND s.id = c.segment WHERE c.run = ? ORDER BY 1, 2, 3";

}  // namespace

std::vector<ChecksumRow> parameter_checksums(const Report& report, std::int64_t run) {
  const auto read = [](store::Statement& row) {
    return ChecksumRow{
        .place = {.step = row.integer(), .position = static_cast<std::int32_t>(row.integer()), .parameter = row.text()},
        .checksum = row.integer()};
  };
  return store::rows_of(report, kChecksums, read, run);
}

}  // namespace ampprof::queries
