// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "reports/store/sqlite.h"

namespace ampprof::store {

inline constexpr std::int64_t kApplicationId = 0x616D7070;  // "ampp", at byte 68 of the file
inline constexpr std::int64_t kSchemaVersion = 1;

/// Runs the steps that a file has not had, in one transaction, and stores their number as its version. Leaves a file
/// that has had all of them, or more, as it is. See schema_steps().
void take_steps(Database& database, std::span<const std::string> steps);

/// Makes the tables of a report in an empty file.
void create_tables(Database& database);

/// Takes a report of an earlier version to kSchemaVersion. Throws what check_is_report() throws.
void migrate(Database& database);

/// Whether it has to be migrated to be read.
bool is_of_earlier_version(Database& database);

/// Throws ReportError unless the file is an ampprof report of a version that this ampprof knows.
void check_is_report(Database& database);

/// Throws ReportError where a report says that it is of kSchemaVersion and lacks what that version brought.
void check_is_of_this_version(Database& database);

}  // namespace ampprof::store
