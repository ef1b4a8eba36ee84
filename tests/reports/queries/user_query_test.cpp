// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/user_query.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/store/report_error.h"
#include "reports/store/sqlite.h"
#include "tests/reports/sample_report.h"

namespace ampprof {
namespace user_query_test {

using testing::HasSubstr;
using testing_reports::bytes_of;
using Rows = std::vector<std::vector<queries::SqlValue>>;

class UserQueries : public testing::Test {
 protected:
  UserQueries() { testing_reports::write_sample_report(path_); }

  Rows rows(const std::string& sql, double seconds = 10) const {
    queries::UserQuery query(path_, sql, seconds);
    Rows all;
    while (auto row = query.next()) all.push_back(std::move(*row));
    return all;
  }
  // Returns the error message of a query; "none" if the query succeeds.
  std::string refusal(const std::string& sql, double seconds = 10) const {
    try {
      rows(sql, seconds);
    } catch (const queries::QueryError& error) {
      return error.what();
    }
    return "none";
  }

  testing_reports::TemporaryFolder folder_;
  std::filesystem::path path_ = folder_ / "r.ampprof";
};

TEST_F(UserQueries, GiveEveryTypeOfValue) {
  const Rows expected{{queries::SqlValue(), 2L, 0.5, "x", queries::SqlBytes{std::string("\0\xff", 2)}}};
  EXPECT_EQ(rows("SELECT NULL, 2, 0.5, 'x', x'00ff'"), expected);
}

TEST_F(UserQueries, CleanTextsAndNamesOfColumns) {
  queries::UserQuery query(path_, "SELECT 'a' || char(27) || CAST(x'ff' AS TEXT) AS \"b\x1b\"", 10);
  EXPECT_EQ(query.columns(), std::vector<std::string>{"b\xEF\xBF\xBD"});
  EXPECT_EQ(query.next(), (std::vector<queries::SqlValue>{"a\xEF\xBF\xBD\xEF\xBF\xBD"}));
}

TEST_F(UserQueries, ReadJoinsAggregatesAndTheSchema) {
  EXPECT_EQ(rows("SELECT s.op, sum(c.calls) FROM op_total c JOIN call_site s ON s.run = c.run AND s.id = c.call_site "
                 "GROUP BY 1 ORDER BY 1;  -- done\n"),
            (Rows{{"linear", 2L}, {"mm", 2L}}));
  EXPECT_EQ(rows("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9) SELECT sum(i) FROM n"),
            (Rows{{45L}}));
  EXPECT_EQ(rows("PRAGMA table_info(loss)").size(), 6u);
  EXPECT_EQ(rows("SELECT name FROM pragma_table_info('loss')").size(), 6u);
  EXPECT_FALSE(rows("EXPLAIN QUERY PLAN SELECT * FROM run").empty());
}

TEST_F(UserQueries, EndOnceAStopIsRequested) {
  std::stop_source stop;
  queries::UserQuery query(path_,
                           "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n",
                           1000, stop.get_token());
  stop.request_stop();
  EXPECT_THROW(
      try { query.next(); } catch (const queries::QueryError& error) {
        EXPECT_STREQ(error.what(), "the query was cancelled");
        throw;
      },
      queries::QueryError);
}

TEST_F(UserQueries, TellWhichTablesHaveRows) {
  const std::vector<std::string> filled = queries::tables_with_rows(path_);
  EXPECT_THAT(filled, testing::IsSupersetOf({"run", "op_total", "loss"}));
  EXPECT_THAT(filled, testing::Not(testing::Contains("recipe_matmul")));
}

struct Forbidden {
  const char* name;
  const char* sql;
};

void PrintTo(const Forbidden& forbidden, std::ostream* out) { *out << forbidden.sql; }

class ForbiddenQuery : public UserQueries, public testing::WithParamInterface<Forbidden> {};

TEST_P(ForbiddenQuery, IsRefusedAndChangesNothing) {
  const std::string before = bytes_of(path_);
  EXPECT_NE(refusal(GetParam().sql), "none");
  EXPECT_EQ(bytes_of(path_), before);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_.path()), {}), 1) << "a file was made";
}

INSTANTIATE_TEST_SUITE_P(
    UserQueries, ForbiddenQuery,
    testing::Values(
        Forbidden{"remove", "DELETE FROM run"}, Forbidden{"change", "UPDATE run SET level = 'O0'"},
        Forbidden{"add", "INSERT INTO missing VALUES (1, 'a', 'b', 1, 'c')"}, Forbidden{"drop", "DROP TABLE run"},
        Forbidden{"create", "CREATE TABLE t (x)"}, Forbidden{"create_for_a_while", "CREATE TEMP TABLE t (x)"},
        Forbidden{"attach", "ATTACH 'other.db' AS other"}, Forbidden{"attach_in_memory", "ATTACH ':memory:' AS other"},
        Forbidden{"copy_out", "VACUUM INTO 'copy.ampprof'"}, Forbidden{"begin", "BEGIN IMMEDIATE"},
        Forbidden{"savepoint", "SAVEPOINT s"}, Forbidden{"analyze", "ANALYZE"}, Forbidden{"reindex", "REINDEX"},
        Forbidden{"journal", "PRAGMA journal_mode = WAL"}, Forbidden{"writable_schema", "PRAGMA writable_schema = ON"},
        Forbidden{"writable_again", "PRAGMA query_only = OFF"},
        Forbidden{"temporary_folder", "PRAGMA temp_store_directory = '/'"},
        Forbidden{"pragma_as_a_table", "SELECT * FROM pragma_journal_mode"},
        Forbidden{"extension", "SELECT load_extension('x')"},
        Forbidden{"virtual_table", "CREATE VIRTUAL TABLE t USING fts5(x)"},
        Forbidden{"second_statement", "SELECT 1; DELETE FROM run"}, Forbidden{"nothing", " -- only a comment"}),
    [](const auto& info) { return info.param.name; });

TEST_F(UserQueries, SayWhereTheyAreWrong) {
  try {
    rows("SELECT modul FROM call_site");
    FAIL();
  } catch (const queries::QueryError& error) {
    EXPECT_STREQ(error.what(), "no such column: modul");
    EXPECT_EQ(error.offset(), 7u);
  }
  const auto offset = [&](const std::string& sql) -> std::optional<std::size_t> {
    try {
      rows(sql);
    } catch (const queries::QueryError& error) {
      return error.offset();
    }
    return 999;
  };
  EXPECT_EQ(offset("SELEC 1"), 0u);
  EXPECT_EQ(offset("SELECT 1; SELECT 2"), 9u);
  EXPECT_EQ(offset("SELECT 1; nonsense"), 9u);
  EXPECT_EQ(offset("SELECT abs(-9223372036854775807 - 1)"), std::nullopt) << "it fails where it runs";
  EXPECT_THAT(refusal("SELEC 1"), HasSubstr("syntax error"));
  EXPECT_THAT(refusal("DROP TABLE run"), HasSubstr("only read"));
}

TEST_F(UserQueries, MayTakeTheirTime) {
  EXPECT_EQ(
      rows("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000) SELECT count(*) FROM n"),
      (Rows{{100000L}}));
}

TEST_F(UserQueries, EndInTime) {
  const char* const endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";
  EXPECT_THAT(refusal(endless, 0.05), HasSubstr("was stopped after"));
}

TEST_F(UserQueries, WorkInAReadOnlyFolder) {
  namespace fs = std::filesystem;
  fs::permissions(folder_.path(), fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_EQ(rows("SELECT count(*) FROM run"), (Rows{{1L}}));
  fs::permissions(folder_.path(), fs::perms::owner_all);
}

TEST_F(UserQueries, BlameADamagedReportForItsDamage) {
  std::string bytes = bytes_of(path_);
  std::fill(bytes.begin() + 4096, bytes.end(), '\x5a');
  testing_reports::write_bytes(path_, bytes);
  EXPECT_THROW(rows("SELECT * FROM op_total"), store::ReportError);
}

TEST_F(UserQueries, NameWhatTheSchemaHolds) {
  const auto names = queries::names_in_schema(path_);
  EXPECT_THAT(names, testing::IsSupersetOf({"run", "call_site", "module", "sum_sq_error"}));
  EXPECT_EQ(std::count(names.begin(), names.end(), "run"), 1);
  EXPECT_THAT(queries::tables_with(path_, "phase"), testing::ElementsAre("call_site"));
  EXPECT_THAT(queries::tables_with(path_, "call_site"), testing::Not(testing::Contains("call_site")));
}

}  // namespace user_query_test
}  // namespace ampprof
