// SPDX-License-Identifier: Apache-2.0
// Compares the tables of each schema version with ../golden/schema_<version>.txt. The file of a released version never
// changes: if this test fails, add a schema step as reports/README.md says.
#include <gtest/gtest.h>

#include <span>
#include <string>
#include <vector>

#include "reports/store/report_error.h"
#include "reports/store/schema.h"
#include "reports/store/schema_steps.h"
#include "tests/golden.h"
#include "tests/temporary_folder.h"

namespace ampprof::store {
namespace schema_versions_test {

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

struct SchemaVersions : testing::Test {
  const test_support::TemporaryFolder folder;
  Database database{folder / "r", OpenMode::Create};
};

TEST_F(SchemaVersions, EachIsWhatItWas) {
  std::int64_t version = 0;
  for (const std::string& step : schema_steps()) {
    database.run(step.c_str());
    test_support::expect_golden("schema_" + std::to_string(++version) + ".txt", described(database));
  }
}

TEST_F(SchemaVersions, TheLastIsWhatIsWritten) {
  create_tables(database);
  EXPECT_EQ(described(database), test_support::bytes_of(AMPPROF_GOLDEN_FOLDER "/schema_" +
                                                        std::to_string(kSchemaVersion) + ".txt"));
  EXPECT_EQ(database.pragma("application_id"), kApplicationId);
  EXPECT_EQ(database.pragma("user_version"), kSchemaVersion);
  EXPECT_FALSE(is_of_earlier_version(database));
  EXPECT_NO_THROW(check_is_of_this_version(database));
}

TEST_F(SchemaVersions, TheLastDiffersFromTheOneBefore) {
  const std::vector<std::string> steps = schema_steps();
  for (const std::string& step : std::span(steps).first(steps.size() - 1)) database.run(step.c_str());
  EXPECT_THROW(check_is_of_this_version(database), ReportError) << "kQueryOfThisVersion is an earlier one's";
  database.run(steps.back().c_str());
  EXPECT_NO_THROW(check_is_of_this_version(database));
}

const std::vector<std::string> kThreeSteps{"CREATE TABLE t (a INTEGER)", "ALTER TABLE t ADD COLUMN b REAL",
                                           "CREATE TABLE u (c TEXT)"};

TEST_F(SchemaVersions, AFileIsTakenThroughTheStepsThatItHasNotHad) {
  for (std::size_t count = 1; count <= kThreeSteps.size(); ++count) {
    apply_schema_steps(database, std::span(kThreeSteps).first(count));
    EXPECT_EQ(database.pragma("user_version"), static_cast<std::int64_t>(count));
  }
  EXPECT_EQ(described(database), "t.a INTEGER\nt.b REAL\nu.c TEXT\n");
}

TEST_F(SchemaVersions, AFileThatHasHadMoreStaysAsItIs) {
  apply_schema_steps(database, kThreeSteps);
  apply_schema_steps(database, std::span(kThreeSteps).first(2));
  EXPECT_EQ(database.pragma("user_version"), 3);
}

TEST_F(SchemaVersions, AStepThatFailsTakesBackThoseBeforeIt) {
  apply_schema_steps(database, std::span(kThreeSteps).first(1));
  const std::vector<std::string> steps{kThreeSteps[0], kThreeSteps[1], "ALTER TABLE none ADD COLUMN c"};
  EXPECT_THROW(apply_schema_steps(database, steps), ReportError);
  EXPECT_EQ(database.pragma("user_version"), 1);
  EXPECT_EQ(described(database), "t.a INTEGER\n");
}

}  // namespace schema_versions_test
}  // namespace ampprof::store
