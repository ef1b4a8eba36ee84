// SPDX-License-Identifier: Apache-2.0
#include "reports/store/schema.h"

#include <string_view>

#include "reports/store/report_error.h"
#include "reports/store/schema_steps.h"

namespace ampprof::store {
namespace {

constexpr std::size_t kLongestVersion = 60;

void set_pragma(Database& database, const std::string& name, std::int64_t value) {
  database.run(("PRAGMA " + name + " = " + std::to_string(value)).c_str());
}

// Returns the version of the ampprof that wrote a newer report. Tables change by addition only, so the newer schema
// still has the column `ampprof_version`. Returns "" if the file has no version, or one with characters that no version
// has.
std::string newest_writer(Database& database) {
  try {
    Statement row(database, "SELECT ampprof_version FROM run WHERE ampprof_version IS NOT NULL ORDER BY id DESC");
    if (!row.next()) return "";
    const std::string version = row.text();
    constexpr std::string_view kLetters = "0123456789abcdefghijklmnopqrstuvwxyz.+-";
    const bool is_version = version.size() <= kLongestVersion && version.find_first_not_of(kLetters) == version.npos;
    return is_version ? version : "";
  } catch (const ReportError&) {
    return "";
  }
}

[[noreturn]] void refuse_newer(Database& database, std::int64_t version) {
  const std::string schemas =
      "(schema " + std::to_string(version) + ", this ampprof reads up to " + std::to_string(kSchemaVersion) + "); ";
  const std::string writer = newest_writer(database);
  throw ReportError(database.name().string() + " was written by a newer ampprof" +
                    (writer.empty() ? " " : ", " + writer + " ") + schemas + "install " +
                    (writer.empty() ? "the newest ampprof" : "that version or a later one") + " to read it");
}

}  // namespace

void apply_schema_steps(Database& database, std::span<const std::string> steps) {
  Transaction transaction(database);
  // Reads the version after locking, since another process may have migrated the file meanwhile.
  const auto taken = static_cast<std::size_t>(database.pragma("user_version"));
  if (taken >= steps.size()) return;
  for (const std::string& step : steps.subspan(taken)) database.run(step.c_str());
  set_pragma(database, "application_id", kApplicationId);
  set_pragma(database, "user_version", static_cast<std::int64_t>(steps.size()));
  transaction.commit();
}

void create_tables(Database& database) { apply_schema_steps(database, schema_steps()); }

void migrate(Database& database) {
  check_is_report(database);
  if (is_of_earlier_version(database)) apply_schema_steps(database, schema_steps());
}

bool is_of_earlier_version(Database& database) { return database.pragma("user_version") < kSchemaVersion; }

void check_is_report(Database& database) {
  const std::string file = database.name().string();
  if (database.pragma("application_id") != kApplicationId) throw ReportError(file + " is not an ampprof report");
  const auto version = database.pragma("user_version");
  if (version > kSchemaVersion) refuse_newer(database, version);
  if (version < 1) throw ReportError("the report " + file + " is damaged: it has no schema version");
}

void check_is_of_this_version(Database& database) { const Statement compiled(database, kQueryOfThisVersion); }

}  // namespace ampprof::store
