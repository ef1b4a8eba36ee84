// SPDX-License-Identifier: Apache-2.0
#include "reports/store/writer.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>
#include <vector>

#include "reports/queries/missing.h"
#include "reports/queries/report.h"
#include "reports/queries/run_names.h"
#include "reports/records/batch.h"
#include "reports/records/run.h"
#include "reports/store/report_error.h"
#include "reports/store/sqlite.h"
#include "tests/reports/sample_report.h"

namespace ampprof {
namespace writer_test {

using testing::HasSubstr;
using testing_reports::call;
using testing_reports::start_of;
using testing_reports::TemporaryFolder;
using testing_reports::two_steps;
namespace fs = std::filesystem;

struct Writer : testing::Test {
  void SetUp() override { store::create_report(path, false); }

  TemporaryFolder folder;
  fs::path path = folder / "r.ampprof";
};

std::int64_t number(const fs::path& path, const std::string& sql) {
  store::Database database(path, store::OpenMode::Read);
  store::Statement row(database, sql);
  return row.next() ? row.integer() : -1;
}

Batch calls(int count) {
  Batch batch;
  batch.calls.assign(count, call(1, 1));
  return batch;
}

TEST_F(Writer, CountsOfTheSameMissingThingAddUp) {
  store::ReportWriter writer(path);
  const auto first = writer.begin_run(start_of("O0"));
  const auto second = writer.begin_run(start_of("O1"));
  writer.add_missing(first, {.what = "op calls", .count = 2, .cause = "late", .remedy = "a"});
  writer.add_missing(first, {.what = "op calls", .count = 3, .cause = "late", .remedy = "b"});
  writer.add_missing(first, {.what = "op calls", .count = 5, .cause = "full", .remedy = "c"});
  writer.add_missing(second, {.what = "op calls", .count = 7, .cause = "late", .remedy = "d"});
  const auto missing = queries::missing(queries::Report(path), first);
  ASSERT_EQ(missing.size(), 2u);
  EXPECT_EQ(missing[0].missing.count, 5);
  EXPECT_EQ(missing[0].missing.cause, "full");
  EXPECT_EQ(missing[1].missing.count, 5);
  EXPECT_EQ(missing[1].missing.remedy, "b");
  EXPECT_EQ(queries::missing(queries::Report(path)).size(), 3u);
}

TEST_F(Writer, ASegmentReplacesItsEarlierSelf) {
  store::ReportWriter writer(path);
  const auto run = writer.begin_run(start_of("O0"));
  writer.append(run, two_steps());
  Batch again;
  again.segments = {testing_reports::segment(2, 3, 14, 22)};
  writer.append(run, again);
  EXPECT_EQ(number(path, "SELECT count(*) FROM segment"), 2);
  EXPECT_EQ(number(path, "SELECT step FROM segment WHERE id = 2"), 3);
}

TEST_F(Writer, KnowsWhetherARecorderAttached) {
  store::ReportWriter writer(path);
  const auto run = writer.begin_run(start_of("O0"));
  EXPECT_FALSE(writer.attached(run));
  writer.attach(run, {});
  EXPECT_TRUE(writer.attached(run));
  EXPECT_FALSE(writer.attached(run + 1));
}

TEST_F(Writer, KnowsWhetherARunHasCalls) {
  store::ReportWriter writer(path);
  const auto run = writer.begin_run(start_of("O0"));
  EXPECT_FALSE(writer.has_calls(run));
  writer.append(run, two_steps());
  EXPECT_TRUE(writer.has_calls(run));
  EXPECT_FALSE(writer.has_calls(run + 1));
}

TEST_F(Writer, CountsWhatAnEventHitFromZero) {
  store::ReportWriter writer(path);
  writer.append(writer.begin_run(start_of("O0")), two_steps());
  EXPECT_EQ(number(path, "SELECT group_concat(position, '') = '01' FROM nonfinite_parameter"), 1);
  EXPECT_EQ(number(path, "SELECT group_concat(position, '') = '01' FROM nonfinite_chain"), 1);
}

TEST_F(Writer, WritesTotalsAtOnceWhereThereIsNothingElse) {
  Batch batch;
  batch.segments = {testing_reports::segment(1, 1, 0, 1), testing_reports::segment(2, 2, 1, 2)};
  batch.calls = {call(1, 1), call(2, 1)};
  for (const bool totals_only : {false, true}) {
    store::ReportWriter writer(path);
    const auto run = writer.begin_run(start_of("O0"));
    totals_only ? writer.append_totals(run, batch) : writer.append(run, batch);
    EXPECT_EQ(number(path, "SELECT total(calls) FROM op_total"), totals_only ? 1 : 0) << "of the step that has ended";
    EXPECT_EQ(number(path, "SELECT count(*) FROM call_chunk"), 2) << "of the first run alone";
  }
}

TEST_F(Writer, OpensWhileAnotherOneWrites) {
  const store::ReportWriter first(path);
  store::Database other(path, store::OpenMode::Write);
  const store::Transaction lock(other);
  EXPECT_NO_THROW(store::ReportWriter second(path)) << "there is nothing to migrate";
}

TEST_F(Writer, TheEnginesLevelWinsOverTheCommandLines) {
  store::ReportWriter writer(path);
  const auto run = writer.begin_run(start_of("O1"));
  RunAttach attach;
  writer.attach(run, attach);
  EXPECT_EQ(queries::runs_named(queries::Report(path)).at(0).level, "O1");
  attach.level = "O2";
  writer.attach(run, attach);
  EXPECT_EQ(queries::runs_named(queries::Report(path)).at(0).level, "O2");
}

TEST_F(Writer, ABatchIsWrittenWholeOrNotAtAll) {
  store::Database(path, store::OpenMode::Write)
      .run("CREATE TRIGGER t BEFORE INSERT ON missing BEGIN SELECT RAISE(FAIL, 'no'); END");
  store::ReportWriter writer(path);
  const auto run = writer.begin_run(start_of("O0"));
  EXPECT_THROW(writer.append(run, two_steps()), store::ReportError);
  EXPECT_EQ(number(path, "SELECT total(count) FROM call_chunk"), 0);

  Batch without = two_steps();
  without.missing.clear();
  writer.append(run, without);
  EXPECT_EQ(number(path, "SELECT total(count) FROM call_chunk"), 4);
}

TEST_F(Writer, FoldLeavesOneFileAndMayGoOn) {
  store::ReportWriter writer(path);
  const auto run = writer.begin_run(start_of("O0"));
  writer.append(run, calls(5));
  EXPECT_TRUE(fs::exists(path.string() + "-wal"));
  writer.fold();
  EXPECT_FALSE(fs::exists(path.string() + "-wal"));
  EXPECT_FALSE(fs::exists(path.string() + "-shm"));
  writer.append(run, calls(2));
  EXPECT_EQ(number(path, "SELECT total(count) FROM call_chunk"), 7);
}

TEST_F(Writer, FoldGivesWayToAReaderAndTheLastOneFolds) {
  store::Database reader(path, store::OpenMode::Read);
  {
    store::ReportWriter writer(path);
    const auto run = writer.begin_run(start_of("O0"));
    const store::Snapshot snapshot(reader);
    store::Statement row(reader, "SELECT count(*) FROM run");
    ASSERT_TRUE(row.next());
    writer.append(run, calls(5));
    EXPECT_NO_THROW(writer.fold());
  }
  EXPECT_EQ(number(path, "SELECT total(count) FROM call_chunk"), 5);
}

TEST_F(Writer, TwoThreadsAppendToOneFile) {
  const auto work = [&](const std::string& level) {
    store::ReportWriter writer(path);
    const auto run = writer.begin_run(start_of(level));
    for (int i = 0; i < 50; ++i) writer.append(run, calls(20));
  };
  std::thread other(work, "O1");
  work("O0");
  other.join();
  EXPECT_EQ(number(path, "SELECT count(*) FROM run"), 2);
  EXPECT_EQ(number(path, "SELECT total(count) FROM call_chunk WHERE run = 1"), 1'000);
  EXPECT_EQ(number(path, "SELECT total(count) FROM call_chunk WHERE run = 2"), 1'000);
}

TEST_F(Writer, TwoProcessesAppendToOneRun) {
  const auto run = store::ReportWriter(path).begin_run(start_of("O0"));
  std::vector<pid_t> children;
  for (int i = 0; i < 2; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      store::ReportWriter writer(path);
      for (int round = 0; round < 50; ++round) writer.append(run, calls(20));
      ::_exit(0);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(number(path, "SELECT total(count) FROM call_chunk"), 2'000);
}

TEST_F(Writer, WaitsForAnotherProcesssLock) {
  store::ReportWriter writer(path);
  const auto run = writer.begin_run(start_of("O0"));
  store::Database other(path, store::OpenMode::Write);
  std::thread holder([&] {
    store::Transaction lock(other);
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    lock.commit();
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_NO_THROW(writer.append(run, calls(1)));
  holder.join();
}

// Returns whether another process finds that this process holds SQLite's lock on the file.
bool is_locked_by_this_process(const fs::path& path) {
  const pid_t child = ::fork();
  if (child == 0) {
    constexpr off_t kSharedLockBytes = 0x40000002;  // see the lock bytes in SQLite's file format
    struct flock lock = {
        .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = kSharedLockBytes, .l_len = 510, .l_pid = 0};
    const int file = ::open(path.c_str(), O_RDWR);
    ::_exit(::fcntl(file, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK ? 1 : 0);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  return WEXITSTATUS(status) == 1;
}

// POSIX: if a process closes any descriptor of a file, it loses all its locks on the file.
TEST_F(Writer, KeepsItsLocksBesideAReaderInTheSameProcess) {
  store::ReportWriter writer(path);
  writer.begin_run(start_of("O0"));
  ASSERT_TRUE(is_locked_by_this_process(path));
  EXPECT_EQ(queries::runs_named(queries::Report(path)).size(), 1u);
  EXPECT_TRUE(is_locked_by_this_process(path));
}

TEST_F(Writer, SaysThatItsFileWasRemoved) {
  store::ReportWriter writer(path);
  const auto run = writer.begin_run(start_of("O0"));
  for (const char* suffix : {"", "-wal", "-shm"}) fs::remove(path.string() + suffix);
  try {
    writer.append(run, calls(1));
    FAIL() << "no error";
  } catch (const store::ReportError& error) {
    EXPECT_THAT(error.what(), HasSubstr("was removed or replaced"));
  }
  EXPECT_THROW(writer.end_run(run, 0), store::ReportError);
  EXPECT_THROW(writer.fold(), store::ReportError);
}

TEST_F(Writer, DoesNotTouchTheFileThatReplacedIts) {
  {
    store::ReportWriter old(path);
    const auto run = old.begin_run(start_of("O0"));
    old.append(run, calls(10));
    store::create_report(path, true);
    store::ReportWriter fresh(path);
    fresh.append(fresh.begin_run(start_of("O1")), calls(3));
    EXPECT_THROW(old.append(run, calls(10)), store::ReportError);
  }
  EXPECT_EQ(number(path, "SELECT total(count) FROM call_chunk"), 3);
  store::Database database(path, store::OpenMode::Read);
  store::Statement check(database, "PRAGMA integrity_check");
  ASSERT_TRUE(check.next());
  EXPECT_EQ(check.text(), "ok");
}

TEST_F(Writer, RefusesAFileThatIsNotAReport) {
  testing_reports::write_bytes(folder / "text",
                               "no database at all, but long enough to be looked at" + std::string(999, '.'));
  store::Database(folder / "other", store::OpenMode::Create).run("CREATE TABLE t (x)");
  EXPECT_THROW(store::ReportWriter(folder / "text"), store::ReportError);
  EXPECT_THROW(store::ReportWriter(folder / "other"), store::ReportError);
  EXPECT_THROW(store::ReportWriter(folder / "none"), store::ReportError);
  EXPECT_FALSE(fs::exists(folder / "none"));
}

}  // namespace writer_test
}  // namespace ampprof
