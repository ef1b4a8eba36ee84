// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "reports/store/sqlite.h"

namespace ampprof::store {

inline constexpr std::int64_t kApplicationId = 0x616D7070;  // "ampp", at byte 68 of the file
inline constexpr std::int64_t kSchemaVersion = 1;

/// Runs the missing schema steps in one transaction, and stores the new version. Leaves a file that has taken all steps
/// unchanged. See schema_steps().
void apply_schema_steps(Database& database, std::span<const std::string> steps);

/// Creates the tables of a report in an empty file.
void create_tables(Database& database);

/// Migrates a report of an earlier version to kSchemaVersion. Throws what check_is_report() throws.
void migrate(Database& database);

/// Returns whether the report has to be migrated before it can be read.
bool is_of_earlier_version(Database& database);

/// Throws ReportError unless the file is an ampprof report of a known version.
void check_is_report(Database& database);

/// Throws ReportError if the report claims kSchemaVersion and lacks an addition of that version.
void check_is_of_this_version(Database& database);

}  // namespace ampprof::store
