// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <iostream>

#include "reports/queries/open.h"
#include "reports/queries/report.h"
#include "reports/queries/runs.h"
#include "reports/queries/temporary_copy.h"
#include "reports/records/batch.h"
#include "reports/store/report_error.h"
#include "tests/reports/sample_report.h"

namespace ampprof {
namespace read_only_folder_test {

using testing_reports::call;
using testing_reports::start_of;
using testing_reports::TemporaryFolder;
namespace fs = std::filesystem;

bool nowhere(const fs::path&) { return false; }
bool anywhere(const fs::path&) { return true; }

/// A report whose program was killed, so the appended batches are only in the log.
struct ReadOnlyFolder : testing::Test {
  void SetUp() override {
    store::create_report(path, false);
    const pid_t child = ::fork();
    if (child == 0) {
      store::ReportWriter writer(path);
      Batch batch;
      batch.calls.assign(30, call(1, 1));
      writer.append(writer.begin_run(start_of("O1")), batch);
      ::raise(SIGKILL);
    }
    ::waitpid(child, nullptr, 0);
    ASSERT_TRUE(fs::exists(path.string() + "-wal"));
  }

  TemporaryFolder folder;
  fs::path path = folder / "r.ampprof";
};

std::int64_t calls_in(store::Database& database) {
  store::Statement row(database, "SELECT total(count) FROM call_chunk");
  return row.next() ? row.integer() : -1;
}

TEST_F(ReadOnlyFolder, ACopyIsNeededForALogOnly) {
  EXPECT_TRUE(queries::needs_copy(path, nowhere));
  EXPECT_FALSE(queries::needs_copy(path, anywhere));
  store::ReportWriter(path).fold();
  EXPECT_FALSE(queries::needs_copy(path, nowhere)) << "folded: SQLite needs nothing beside the file";
}

TEST_F(ReadOnlyFolder, ACopyCanBeWritten) {  // so that an earlier version can be migrated
  fs::permissions(path, fs::perms::owner_read);
  const queries::TemporaryCopy copy(path);
  EXPECT_NE(fs::status(copy.path()).permissions() & fs::perms::owner_write, fs::perms::none);
}

TEST_F(ReadOnlyFolder, ACopyIsNeededWhereTheLogWasEmptyToo) {
  { store::ReportWriter last(path); }  // closing removes the log, but the file stays in WAL mode
  ASSERT_FALSE(fs::exists(path.string() + "-wal"));
  EXPECT_TRUE(queries::needs_copy(path, nowhere));
}

TEST_F(ReadOnlyFolder, LooksAtTheFolderOfTheReport) {
  fs::path asked;
  queries::needs_copy(path, [&](const fs::path& folder) {
    asked = folder;
    return true;
  });
  EXPECT_EQ(asked, folder.path());
}

TEST_F(ReadOnlyFolder, TheCopyHoldsTheLogAndGoesWithItsReader) {
  fs::path copied_to;
  {
    queries::OpenReport report(path, queries::Reads::Views, nowhere);
    ASSERT_NE(report.copy, nullptr);
    copied_to = report.copy->path().parent_path();
    EXPECT_NE(copied_to, folder.path());
    EXPECT_TRUE(fs::exists(copied_to));
    EXPECT_EQ(calls_in(*report.database), 30);
  }
  EXPECT_FALSE(fs::exists(copied_to));
}

TEST_F(ReadOnlyFolder, AWritableFolderNeedsNoCopy) {
  queries::OpenReport report(path, queries::Reads::Views, anywhere);
  EXPECT_EQ(report.copy, nullptr);
  EXPECT_EQ(calls_in(*report.database), 30);
}

TEST_F(ReadOnlyFolder, ACopyThatFailsSaysWhatToDo) {
  const char* const before = std::getenv("TMPDIR");
  const std::string kept = before != nullptr ? before : "";
  ::setenv("TMPDIR", folder.path().c_str(), 1);
  fs::remove(path);
  try {
    queries::TemporaryCopy copy(path);
    ADD_FAILURE() << "no error";
  } catch (const store::ReportError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("set TMPDIR"));
  }
  before != nullptr ? ::setenv("TMPDIR", kept.c_str(), 1) : ::unsetenv("TMPDIR");
  for (const auto& entry : fs::directory_iterator(folder.path())) {
    EXPECT_FALSE(entry.is_directory()) << "the temporary folder is left";
  }
}

TEST(ChangingReport, IsCopiedAsOfOneMomentOrNotAtAll) {
  const TemporaryFolder folder;
  const fs::path path = folder / "r.ampprof";
  testing_reports::write_sample_report(path);
  const fs::path never_the_same = "/proc/sys/kernel/random/uuid";
  if (!fs::exists(never_the_same)) GTEST_SKIP() << "no file here changes whenever it is read";
  fs::create_symlink(never_the_same, path.string() + "-wal");
  try {
    queries::TemporaryCopy copy(path);
    ADD_FAILURE() << "no error";
  } catch (const store::ReportError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("it changes too fast to be copied"));
  }
}

TEST(KilledWithinATransaction, AReportReadsAsItWasBefore) {
  const TemporaryFolder folder;
  const fs::path path = folder / "r.ampprof";
  testing_reports::write_sample_report(path);
  const std::size_t runs = queries::runs(queries::Report(path)).size();
  const pid_t child = ::fork();
  if (child == 0) {
    store::Database database(path, store::OpenMode::Write);
    database.run(
        "PRAGMA cache_size = 1; BEGIN; DELETE FROM call_site; DELETE FROM segment; UPDATE run SET level = 'O9'");
    ::raise(SIGKILL);
  }
  ::waitpid(child, nullptr, 0);
  ASSERT_TRUE(fs::exists(path.string() + "-journal")) << "else nothing is left to take back";
  const queries::Report report(path);
  ASSERT_EQ(queries::runs(report).size(), runs);
  for (const queries::RunRow& run : queries::runs(report)) EXPECT_NE(run.level, "O9");
  EXPECT_TRUE(fs::exists(path.string() + "-journal")) << "reading leaves the file alone";
}

// root ignores permissions, so a child process reads as the user nobody.
TEST_F(ReadOnlyFolder, AUserWithoutPermissionReadsAllTheSame) {
  fs::permissions(folder.path(), fs::perms(0555));
  const pid_t child = ::fork();
  if (child == 0) {
    constexpr uid_t kNobody = 65534;
    if (::getuid() == 0 && (::setgid(kNobody) != 0 || ::setuid(kNobody) != 0)) ::_exit(77);
    if (queries::can_write_in(folder.path())) ::_exit(2);
    try {
      ::_exit(queries::runs(queries::Report(path)).at(0).op_calls == 30 ? 0 : 3);
    } catch (const std::exception& error) {
      std::cerr << error.what() << '\n';
      ::_exit(4);
    }
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  fs::permissions(folder.path(), fs::perms(0755));
  if (WEXITSTATUS(status) == 77) GTEST_SKIP() << "may not become another user";
  EXPECT_EQ(status, 0);
}

}  // namespace read_only_folder_test
}  // namespace ampprof
