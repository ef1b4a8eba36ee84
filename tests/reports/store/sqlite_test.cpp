// SPDX-License-Identifier: Apache-2.0
#include "reports/store/sqlite.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "reports/store/report_error.h"
#include "tests/reports/sample_report.h"

namespace ampprof {
namespace sqlite_test {

using testing_reports::TemporaryFolder;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

struct Sqlite : testing::Test {
  TemporaryFolder folder;
  store::Database database{folder / "file", store::OpenMode::Create};
};

double stored_and_read(store::Database& database, double value) {
  database.run("CREATE TABLE IF NOT EXISTS t (x REAL NOT NULL); DELETE FROM t");
  store::Statement(database, "INSERT INTO t VALUES (?)").put(value).execute();
  store::Statement row(database, "SELECT x FROM t");
  row.next();
  return row.real();
}

TEST_F(Sqlite, EveryDoubleComesBack) {
  for (const double value : {0.0, -1.5, 1e308, 5e-324, kInf, -kInf}) EXPECT_EQ(stored_and_read(database, value), value);
  EXPECT_TRUE(std::isnan(stored_and_read(database, kNan)));
}

TEST_F(Sqlite, AbsentValuesAreNull) {
  database.run("CREATE TABLE t (a, b, c)");
  const std::optional<double> none;
  store::Statement(database, "INSERT INTO t VALUES (?,?,?)").put(none).put(std::optional<int>(3)).put("").execute();
  store::Statement row(database, "SELECT a, b, c FROM t");
  ASSERT_TRUE(row.next());
  EXPECT_EQ(row.optional_real(), std::nullopt);
  EXPECT_EQ(row.optional_integer(), 3);
  EXPECT_FALSE(row.at_null()) << "an empty text is a text";
}

TEST_F(Sqlite, WhatIsNotCommittedIsRolledBack) {
  database.run("CREATE TABLE t (x)");
  {
    const store::Transaction transaction(database);
    database.run("INSERT INTO t VALUES (1)");
  }
  store::Statement count(database, "SELECT count(*) FROM t");
  count.next();
  EXPECT_EQ(count.integer(), 0);
}

TEST_F(Sqlite, ErrorsNameTheFileAndSayWhatSqliteSays) {
  try {
    database.run("INSERT INTO nowhere VALUES (1)");
    FAIL() << "no error";
  } catch (const store::ReportError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr((folder / "file").string()));
    EXPECT_THAT(error.what(), testing::HasSubstr("no such table: nowhere"));
  }
}

TEST_F(Sqlite, AStatementCanBeUsedAgainAfterAFailure) {
  database.run("CREATE TABLE t (x INTEGER PRIMARY KEY)");
  store::Statement insert(database, "INSERT INTO t VALUES (?)");
  insert.put(1).execute();
  EXPECT_THROW(insert.put(1).execute(), store::ReportError);
  EXPECT_NO_THROW(insert.put(2).execute());
}

TEST_F(Sqlite, AReaderCannotWrite) {
  database.run("CREATE TABLE t (x)");
  store::Database reader(folder / "file", store::OpenMode::Read);
  EXPECT_THROW(reader.run("INSERT INTO t VALUES (1)"), store::ReportError);
  EXPECT_THROW(reader.run("PRAGMA writable_schema = ON; DELETE FROM sqlite_schema"), store::ReportError);
}

TEST_F(Sqlite, AReaderGivesUpOnEndlessWork) {
  store::Database reader(folder / "file", store::OpenMode::Read);
  store::Statement endless(reader,
                           "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n");
  EXPECT_THROW(endless.next(), store::ReportError);
}

TEST_F(Sqlite, AReaderRefusesViews) {
  database.run("CREATE TABLE t (x); CREATE VIEW v AS SELECT x FROM t");
  store::Database reader(folder / "file", store::OpenMode::Read);
  EXPECT_THROW(store::Statement(reader, "SELECT x FROM v"), store::ReportError);
}

TEST_F(Sqlite, NoticesThatItsFileWasReplaced) {
  database.run("CREATE TABLE t (x)");
  EXPECT_FALSE(database.moved());
  std::filesystem::rename(folder / "file", folder / "other");
  EXPECT_TRUE(database.moved());
  testing_reports::write_bytes(folder / "file", "someone else's");
  EXPECT_TRUE(database.moved());
}

}  // namespace sqlite_test
}  // namespace ampprof
