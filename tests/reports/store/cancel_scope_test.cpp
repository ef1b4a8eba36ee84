// SPDX-License-Identifier: Apache-2.0
#include "reports/store/cancel_scope.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <thread>

#include "reports/store/create.h"
#include "reports/store/report_error.h"
#include "reports/store/sqlite.h"
#include "tests/temporary_folder.h"

namespace ampprof::store {
namespace cancel_scope_test {

// A query without a last row. Without a cancellation, only the work limit of OpenMode::Read ends the query.
constexpr const char* kEndless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n";
// A query that never returns from one sqlite3_step(). The SQL function stop() requests the cancellation.
constexpr const char* kLongStep =
    "WITH RECURSIVE n(i) AS (SELECT stop() UNION ALL SELECT i + 1 FROM n) SELECT sum(i) FROM n";

void request_stop(sqlite3_context* context, int, sqlite3_value**) {
  static_cast<std::stop_source*>(sqlite3_user_data(context))->request_stop();
  sqlite3_result_int(context, 1);
}

class CancelledReading : public testing::Test {
 protected:
  CancelledReading() { create_report(folder_ / "r.ampprof", false); }

  static std::string failure_of(Statement& statement) {
    try {
      while (statement.next()) {
      }
    } catch (const ReportError& error) {
      return error.what();
    }
    return "";
  }

  test_support::TemporaryFolder folder_;
  std::stop_source stop_;
};

TEST_F(CancelledReading, EndsBeforeTheNextRow) {
  Database database(folder_ / "r.ampprof", OpenMode::Read);
  const CancelScope scope(stop_.get_token());
  Statement rows(database, kEndless);
  EXPECT_TRUE(rows.next());
  stop_.request_stop();
  EXPECT_TRUE(failure_of(rows).ends_with("r.ampprof was cancelled"));
}

TEST_F(CancelledReading, EndsWithinARow) {
  Database database(folder_ / "r.ampprof", OpenMode::Read);
  const CancelScope scope(stop_.get_token());
  sqlite3_create_function(database.handle(), "stop", 0, SQLITE_UTF8, &stop_, request_stop, nullptr, nullptr);
  Statement sum(database, kLongStep);
  EXPECT_TRUE(failure_of(sum).ends_with("r.ampprof was cancelled"));
}

TEST_F(CancelledReading, IsOfItsScopeAndThreadAlone) {
  stop_.request_stop();
  {
    const CancelScope scope(stop_.get_token());
    EXPECT_TRUE(CancelScope::is_cancelled());
    {
      const CancelScope inner{std::stop_token()};
      EXPECT_FALSE(CancelScope::is_cancelled());
    }
    EXPECT_TRUE(CancelScope::is_cancelled());
    std::jthread([] { EXPECT_FALSE(CancelScope::is_cancelled()); }).join();
  }
  EXPECT_FALSE(CancelScope::is_cancelled());
}

TEST_F(CancelledReading, LeavesWritersAlone) {
  Database database(folder_ / "r.ampprof", OpenMode::Write);
  stop_.request_stop();
  const CancelScope scope(stop_.get_token());
  Statement row(database, "SELECT 1");
  EXPECT_TRUE(row.next());
}

}  // namespace cancel_scope_test
}  // namespace ampprof::store
