// SPDX-License-Identifier: Apache-2.0
// The tables of each schema version, in ../golden/schema_<version>.txt. A file of a released version never changes:
// where this fails, a step is missing, as reports/README.md says.
#include <gtest/gtest.h>

#include <map>

#include "reports/store/report_error.h"
#include "reports/store/schema.h"
#include "reports/store/schema_steps.h"
#include "tests/golden.h"
#include "tests/temporary_folder.h"

namespace ampprof::store {
namespace schema_versions_test {

using Lines = std::map<std::string, std::string>;

constexpr const char* kColumns =
    "SELECT t.name, c.name, c.type, c.\"notnull\", c.pk, coalesce(f.\"table\", '') "
    "FROM sqlite_schema t, pragma_table_info(t.name) c "
    "LEFT JOIN pragma_foreign_key_list(t.name) f ON f.\"from\" = c.name WHERE t.type = 'table' ORDER BY t.name, c.cid";
constexpr const char* kIndexes =
    "SELECT t.name, i.name, (SELECT group_concat(name, ' ') FROM pragma_index_info(i.name)) "
    "FROM sqlite_schema t, pragma_index_list(t.name) i WHERE i.origin = 'c' ORDER BY t.name, i.name";

std::string described(Database& database) {
  std::string text;
  Statement columns(database, kColumns);
  while (columns.next()) {
    text += columns.text() + '.';
    text += columns.text() + ' ';
    text += columns.text();
    if (columns.flag()) text += " NOT NULL";
    if (const auto place = columns.integer(); place != 0) text += ", key " + std::to_string(place);
    if (const std::string other = columns.text(); !other.empty()) text += ", of " + other;
    text += '\n';
  }
  Statement indexes(database, kIndexes);
  while (indexes.next()) {
    text += "index of " + indexes.text() + ' ';
    text += indexes.text() + ": ";
    text += indexes.text() + '\n';
  }
  return text;
}

TEST(SchemaVersions, EachIsWhatItWas) {
  const test_support::TemporaryFolder folder;
  Database database(folder / "r", OpenMode::Create);
  for (std::int64_t version = kFirstSchemaVersion; version <= kSchemaVersion; ++version) {
    database.run(step_to(version).c_str());
    test_support::expect_golden("schema_" + std::to_string(version) + ".txt", described(database));
  }
}

TEST(SchemaVersions, TheLastIsWhatIsWritten) {
  const test_support::TemporaryFolder folder;
  Database database(folder / "r", OpenMode::Create);
  create_tables(database);
  EXPECT_EQ(described(database), test_support::bytes_of(AMPPROF_GOLDEN_FOLDER "/schema_" +
                                                        std::to_string(kSchemaVersion) + ".txt"));
  EXPECT_FALSE(is_of_earlier_version(database));
  EXPECT_NO_THROW(check_is_of_this_version(database));
}

TEST(SchemaVersions, TheLastIsToldFromTheOneBefore) {
  const test_support::TemporaryFolder folder;
  Database database(folder / "r", OpenMode::Create);
  for (std::int64_t version = kFirstSchemaVersion; version < kSchemaVersion; ++version) {
    database.run(step_to(version).c_str());
  }
  EXPECT_THROW(check_is_of_this_version(database), ReportError) << "kQueryOfThisVersion is an earlier one's";
  database.run(step_to(kSchemaVersion).c_str());
  EXPECT_NO_THROW(check_is_of_this_version(database));
}

TEST(SchemaVersions, TheFirstIsTakenToTheLast) {
  const test_support::TemporaryFolder folder;
  Database database(folder / "r", OpenMode::Create);
  database.run(step_to(kFirstSchemaVersion).c_str());
  database.run("PRAGMA application_id = 0x616D7070; PRAGMA user_version = 9");
  EXPECT_TRUE(is_of_earlier_version(database));
  EXPECT_THROW(check_is_of_this_version(database), ReportError);
  migrate(database);
  EXPECT_FALSE(is_of_earlier_version(database));
  EXPECT_NO_THROW(check_is_of_this_version(database));
}

}  // namespace schema_versions_test
}  // namespace ampprof::store
