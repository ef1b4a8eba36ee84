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

TEST_F(Sqlite, AStatementThatIsKeptForgetsWhatWasPut) {
  database.run("CREATE TABLE t (x); INSERT INTO t VALUES (1), (2)");
  store::Database read(folder / "file", store::OpenMode::Read);
  constexpr const char* kSql = "SELECT x FROM t WHERE x = ?";
  {
    store::Statement row(read, kSql);
    EXPECT_TRUE(row.put(2).next());
    store::Statement second(read, kSql);
    EXPECT_TRUE(second.put(1).next()) << "beside one that is in use";
    EXPECT_EQ(row.integer(), 2);
  }
  EXPECT_FALSE(store::Statement(read, kSql).next()) << "nothing was put";
  EXPECT_TRUE(store::Statement(read, kSql).put(1).next());
}

TEST_F(Sqlite, AKeptStatementSeesWhatTheTableIsNow) {
  database.run("CREATE TABLE t (x); INSERT INTO t VALUES (1)");
  store::Database read(folder / "file", store::OpenMode::Read);
  constexpr const char* kSql = "SELECT * FROM t";
  EXPECT_TRUE(store::Statement(read, kSql).next());
  database.run("DROP TABLE t; CREATE TABLE t (y, z); INSERT INTO t VALUES (2, 3)");
  store::Statement row(read, kSql);
  ASSERT_TRUE(row.next());
  row.skip(1);
  EXPECT_EQ(row.integer(), 3);
}

TEST_F(Sqlite, PutsAColumnOfAnotherRowAsItIs) {
  database.run("CREATE TABLE t (a, b, c, d, e, f, g)");
  store::Statement from(database, "SELECT 7, 0.5, 'ab' || char(0) || 'c', x'00ff', zeroblob(0), '', NULL");
  ASSERT_TRUE(from.next());
  store::Statement to(database, "INSERT INTO t VALUES (?,?,?,?,?,?,?)");
  for (int column = 0; column < 7; ++column) to.put_next_of(from);
  to.execute();
  store::Statement row(database,
                       "SELECT quote(a), quote(b), hex(c), typeof(c), quote(d), quote(e), quote(f), quote(g) FROM t");
  ASSERT_TRUE(row.next());
  for (const char* expected : {"7", "0.5", "61620063", "text", "X'00FF'", "X''", "''", "NULL"})
    EXPECT_EQ(row.text(), expected);
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

TEST_F(Sqlite, ColumnsAreReadFromTheLeftWhateverTheyHold) {
  store::Statement row(database, "SELECT NULL, 1, NULL, 2.5, NULL, NULL, 7, 'x', 3");
  ASSERT_TRUE(row.next());
  EXPECT_EQ(row.optional_integer(), std::nullopt);
  EXPECT_EQ(row.optional_integer(), 1);
  EXPECT_EQ(row.optional_real(), std::nullopt);
  EXPECT_EQ(row.optional_real(), 2.5);
  EXPECT_EQ(row.text(), "");
  EXPECT_EQ(row.blob(), "");
  EXPECT_EQ(row.real(), 7.0) << "a whole number is a number";
  EXPECT_TRUE(std::isnan(row.real())) << "a text is none";
  EXPECT_EQ(row.integer(), 3);
  EXPECT_FALSE(row.next());
}

TEST_F(Sqlite, TextsMayBeEmptyAndBytesMayNotBeThere) {
  database.run("CREATE TABLE t (a, b, c)");
  store::Statement(database, "INSERT INTO t VALUES (?,?,?)")
      .put(std::string_view())
      .put_blob("")
      .put_copy_of_blob("")
      .execute();
  store::Statement row(database, "SELECT typeof(a), b IS NULL, c IS NULL FROM t");
  ASSERT_TRUE(row.next());
  EXPECT_EQ(row.text(), "text");
  EXPECT_TRUE(row.flag());
  EXPECT_TRUE(row.flag());
}

TEST_F(Sqlite, AStatementWithTooManyParametersMayStartOver) {
  database.run("CREATE TABLE t (x)");
  store::Statement insert(database, "INSERT INTO t VALUES (?)");
  EXPECT_THROW(insert.put(1).put(2), store::WriteError);
  EXPECT_NO_THROW(insert.put(3).execute());
  store::Statement row(database, "SELECT x FROM t");
  ASSERT_TRUE(row.next());
  EXPECT_EQ(row.integer(), 3);
}

TEST_F(Sqlite, APragmaThatIsNoneIsZero) {
  EXPECT_EQ(database.pragma("no_such_pragma"), 0);
  database.run("PRAGMA user_version = 5");
  EXPECT_EQ(database.pragma("user_version"), 5);
}

TEST_F(Sqlite, RewritingAnUntrustedFileRunsNothingThatItBrings) {
  database.run(
      "CREATE TABLE t (x); CREATE TABLE log (x); CREATE VIEW v AS SELECT x FROM t;"
      "CREATE TRIGGER r AFTER INSERT ON t BEGIN INSERT INTO log VALUES (1); END");
  store::Database rewriting(folder / "file", store::OpenMode::Rewrite);
  rewriting.run("INSERT INTO t VALUES (1)");
  store::Statement log(rewriting, "SELECT count(*) FROM log");
  ASSERT_TRUE(log.next());
  EXPECT_EQ(log.integer(), 0);
  EXPECT_THROW(store::Statement(rewriting, "SELECT x FROM v"), store::ReportError);
}

TEST_F(Sqlite, ASnapshotSeesOneMoment) {
  database.run("PRAGMA journal_mode = WAL; CREATE TABLE t (x)");
  store::Database reader(folder / "file", store::OpenMode::Read);
  const auto rows = [&] {
    store::Statement count(reader, "SELECT count(*) FROM t");
    return count.next() ? count.integer() : -1;
  };
  {
    const store::Snapshot outer(reader);
    EXPECT_EQ(rows(), 0);
    database.run("INSERT INTO t VALUES (1)");
    { const store::Snapshot inner(reader); }
    EXPECT_EQ(rows(), 0);
  }
  EXPECT_EQ(rows(), 1);
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

TEST_F(Sqlite, SaysWhatFailed) {
  const auto failure = [](const auto& work) -> std::string {
    try {
      work();
    } catch (const store::WriteError& error) {
      return std::string("W: ") + error.what();
    } catch (const store::ReportError& error) {
      return std::string("R: ") + error.what();
    }
    return "none";
  };
  const std::string file = (folder / "file").string();
  const std::string none = (folder / "none").string();
  database.run("CREATE TABLE t (x)");
  store::Database reader(folder / "file", store::OpenMode::Read);
  store::Database writer(folder / "file", store::OpenMode::Write);
  EXPECT_EQ(failure([&] { reader.run("SELECT y FROM t"); }),
            "R: the report " + file + " is damaged: no such column: y");
  EXPECT_EQ(failure([&] { writer.run("SELECT y FROM t"); }),
            "W: cannot write the report " + file + ": no such column: y");
  EXPECT_THAT(failure([&] { reader.run("INSERT INTO t VALUES (1)"); }),
              testing::StartsWith("R: cannot read the report " + file));
  EXPECT_THAT(failure([&] { store::Database(none, store::OpenMode::Read); }),
              testing::StartsWith("R: cannot read the report " + none));
  EXPECT_THAT(failure([&] { store::Database(none, store::OpenMode::Write); }),
              testing::StartsWith("W: cannot write the report " + none));
  const store::Transaction lock(database);
  writer.wait_for_locks(0);
  EXPECT_THAT(failure([&] { const store::Transaction second(writer); }),
              testing::StartsWith("W: another process keeps the report " + file + " locked"));
}

TEST_F(Sqlite, AReaderHasRoomForHonestWork) {
  store::Database reader(folder / "file", store::OpenMode::Read);
  store::Statement count(
      reader,
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000) SELECT count(*) FROM n");
  ASSERT_TRUE(count.next());
  EXPECT_EQ(count.integer(), 1'000'000);
}

TEST_F(Sqlite, AReaderBoundsWhatAStatementMayBe) {
  const auto times = [](int count, const std::string& part) {
    std::string text;
    for (int i = 0; i < count; ++i) text += (i > 0 ? "," : "") + part;
    return text;
  };
  const auto sum = [](int terms) {
    std::string text = "1";
    for (int i = 1; i < terms; ++i) text += " + 1";
    return text;
  };
  std::string compound = "SELECT 1";
  for (int i = 1; i < 10; ++i) compound += " UNION SELECT " + std::to_string(i);
  const struct {
    const char* name;
    std::string allowed;
    std::string refused;
  } cases[] = {
      {"length", "SELECT length(zeroblob(16777216))", "SELECT length(zeroblob(16777217))"},
      {"statement", "SELECT 1" + std::string(65000, ' '), "SELECT 1" + std::string(66000, ' ')},
      {"columns", "SELECT " + times(100, "1"), "SELECT " + times(101, "1")},
      {"compound", compound, compound + " UNION SELECT 0"},
      {"arguments", "SELECT max(" + times(10, "1") + ")", "SELECT max(" + times(11, "1") + ")"},
      {"variables", "SELECT ?100", "SELECT ?101"},
      {"depth", "SELECT " + sum(50), "SELECT " + sum(51)},
      {"pattern", "SELECT 'a' LIKE '" + std::string(100, 'a') + "'", "SELECT 'a' LIKE '" + std::string(101, 'a') + "'"},
      {"databases", "SELECT 1", "ATTACH ':memory:' AS other"},
  };
  store::Database reader(folder / "file", store::OpenMode::Read);
  for (const auto& [name, allowed, refused] : cases) {
    EXPECT_NO_THROW(reader.run(allowed.c_str())) << name;
    EXPECT_THROW(reader.run(refused.c_str()), store::ReportError) << name;
    EXPECT_NO_THROW(database.run(refused.c_str())) << name << ": a writer knows what it does";
  }
  EXPECT_EQ(reader.pragma("trusted_schema"), 0);
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
