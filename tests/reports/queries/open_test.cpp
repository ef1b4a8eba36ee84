// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/open.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <numeric>

#include "reports/queries/report.h"
#include "reports/queries/runs.h"
#include "reports/store/report_error.h"
#include "reports/store/schema.h"
#include "tests/reports/sample_report.h"

namespace ampprof {
namespace open_test {

using testing::HasSubstr;
using testing_reports::bytes_of;
using testing_reports::TemporaryFolder;
using testing_reports::write_bytes;
namespace fs = std::filesystem;

std::string failure(const fs::path& path) {
  try {
    (void)queries::runs(queries::Report(path));
  } catch (const store::ReportError& error) {
    return error.what();
  }
  return "no failure";
}

struct OpenReportTest : testing::Test {
  TemporaryFolder folder;
  fs::path path = folder / "file.ampprof";
};

TEST_F(OpenReportTest, NothingThere) {
  EXPECT_EQ(failure(path), "cannot open the report " + path.string() + ": No such file or directory");
}

TEST_F(OpenReportTest, AFolder) {
  EXPECT_THAT(failure(folder.path()), HasSubstr("is a directory, not an ampprof report"));
}

TEST_F(OpenReportTest, APipe) {
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  EXPECT_THAT(failure(path), HasSubstr("not a regular file"));
}

TEST_F(OpenReportTest, AnEmptyFile) {
  write_bytes(path, "");
  EXPECT_EQ(failure(path), path.string() + " is not an ampprof report");
}

TEST_F(OpenReportTest, AText) {
  for (const int length : {1, 15, 99, 511, 5'000}) {
    write_bytes(path, std::string(length, 'x'));
    EXPECT_THAT(failure(path), HasSubstr(path.string() + " is not an ampprof report")) << length;
  }
}

TEST_F(OpenReportTest, ADatabaseOfAnotherProgram) {
  store::Database(path, store::OpenMode::Create).run("CREATE TABLE run (id)");
  EXPECT_EQ(failure(path), path.string() + " is not an ampprof report");
}

TEST_F(OpenReportTest, AReportOfANewerVersion) {
  store::create_report(path, false);
  const std::string newer = std::to_string(store::kSchemaVersion + 1);
  store::Database(path, store::OpenMode::Write).run(("PRAGMA user_version = " + newer).c_str());
  EXPECT_THAT(failure(path), HasSubstr(path.string() + " was written by a newer ampprof (schema " + newer +
                                       ", this ampprof reads up to " + std::to_string(store::kSchemaVersion) + ")"));
}

TEST_F(OpenReportTest, AReportWithoutItsTables) {
  testing_reports::write_sample_report(path);
  store::Database(path, store::OpenMode::Write).run("DROP TABLE segment");
  EXPECT_THAT(failure(path), HasSubstr("is damaged: no such table: segment"));
}

TEST_F(OpenReportTest, AReportWhoseTableIsAnEndlessView) {
  store::create_report(path, false);
  store::Database(path, store::OpenMode::Write)
      .run(
          "DROP TABLE run; CREATE VIEW run AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n) "
          "SELECT id, '' AS level FROM n");
  EXPECT_THAT(failure(path), HasSubstr("is damaged"));
}

TEST_F(OpenReportTest, EveryTruncationIsAnErrorOrData) {
  testing_reports::write_sample_report(path);
  const std::string whole = bytes_of(path);
  int errors = 0;
  for (std::size_t size = 0; size < whole.size(); size += 997) {
    write_bytes(path, whole.substr(0, size));
    if (failure(path) != "no failure") ++errors;
  }
  EXPECT_GT(errors, 0);
}

TEST_F(OpenReportTest, SaysHowManyTablesAreChecked) {
  testing_reports::write_sample_report(path);
  std::vector<std::int64_t> checked;
  std::int64_t tables = 0;
  const queries::Report report(path, [&](std::int64_t so_many, std::int64_t of) {
    checked.push_back(so_many);
    tables = of;
  });
  std::vector<std::int64_t> all(static_cast<std::size_t>(tables));
  std::iota(all.begin(), all.end(), 1);
  EXPECT_EQ(checked, all);
  EXPECT_GT(tables, 10);
}

TEST_F(OpenReportTest, SaysOnThisThreadHowManyTablesOfALargeReportAreChecked) {
  testing_reports::write_sample_report(path);
  fs::resize_file(path, 20 << 20);
  std::vector<std::int64_t> checked;
  std::int64_t tables = 0;
  const queries::Report report(path, [&](std::int64_t so_many, std::int64_t of) {
    checked.push_back(so_many);
    tables = of;
  });
  EXPECT_TRUE(std::ranges::is_sorted(checked));
  ASSERT_FALSE(checked.empty());
  EXPECT_EQ(checked.back(), tables);
}

TEST_F(OpenReportTest, GivesAnotherThreadTheSameFileOrNone) {
  testing_reports::write_sample_report(path);
  const queries::Report report(path);
  const auto another = report.another();
  ASSERT_NE(another, nullptr);
  EXPECT_EQ(queries::runs(*another).size(), queries::runs(report).size());
  fs::rename(path, path.string() + ".old");
  EXPECT_EQ(report.another(), nullptr);
  store::create_report(path, false);
  EXPECT_EQ(report.another(), nullptr) << "that is another report";
  EXPECT_EQ(queries::runs(report).size(), queries::runs(*another).size());
}

TEST_F(OpenReportTest, ChecksAllOfAReportAtOnceForItsTables) {
  testing_reports::write_sample_report(path);
  std::vector<std::pair<std::int64_t, std::int64_t>> told;
  const queries::OpenReport report(path, queries::Reads::Tables, queries::can_write_in,
                                   [&](std::int64_t so_many, std::int64_t of) { told.emplace_back(so_many, of); });
  EXPECT_THAT(told, testing::ElementsAre(std::pair(1, 1)));
}

// root ignores permissions, so a child process reads as the user nobody.
TEST_F(OpenReportTest, AFileThatMayNotBeRead) {
  testing_reports::write_sample_report(path);
  fs::permissions(folder.path(), fs::perms(0755));
  fs::permissions(path, fs::perms(0200));
  const pid_t child = ::fork();
  if (child == 0) {
    constexpr uid_t kNobody = 65534;
    if (::getuid() == 0 && (::setgid(kNobody) != 0 || ::setuid(kNobody) != 0)) ::_exit(77);
    ::_exit(failure(path) == "cannot read the report " + path.string() + ": Permission denied" ? 0 : 2);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  if (WEXITSTATUS(status) == 77) GTEST_SKIP() << "may not become another user";
  EXPECT_EQ(status, 0);
}

TEST_F(OpenReportTest, KnowsFoldersThatItCanWriteIn) {
  EXPECT_TRUE(queries::can_write_in(folder.path()));
  EXPECT_FALSE(queries::can_write_in(folder / "none"));
  const fs::path before = fs::current_path();
  fs::current_path(folder.path());
  EXPECT_TRUE(queries::can_write_in({})) << "the current one";
  fs::current_path(before);
}

TEST_F(OpenReportTest, ReadingLeavesTheFileAlone) {
  testing_reports::write_sample_report(path);
  const std::string before = bytes_of(path);
  (void)queries::runs(queries::Report(path));
  EXPECT_EQ(bytes_of(path), before);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1);
}

TEST_F(OpenReportTest, AReportCanBeMoved) {
  testing_reports::write_sample_report(path);
  queries::Report first(path);
  const queries::Report second(std::move(first));
  EXPECT_EQ(queries::runs(second).size(), 1u);
}

}  // namespace open_test
}  // namespace ampprof
