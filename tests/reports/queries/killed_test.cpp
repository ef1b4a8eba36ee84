// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <new>
#include <thread>

#include "reports/queries/ops.h"
#include "reports/queries/report.h"
#include "reports/queries/runs.h"
#include "reports/records/batch.h"
#include "reports/store/sqlite.h"
#include "tests/reports/sample_report.h"

namespace ampprof {
namespace killed_test {

using testing_reports::call;
using testing_reports::start_of;
using testing_reports::TemporaryFolder;
namespace fs = std::filesystem;

constexpr int kCallsPerBatch = 50;

/// A counter that a child process shares with its parent.
class SharedCounter {
 public:
  SharedCounter()
      : memory_(::mmap(nullptr, sizeof(Counter), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)),
        counter_(new (memory_) Counter(0)) {}
  ~SharedCounter() { ::munmap(memory_, sizeof(Counter)); }

  void increment() { ++*counter_; }
  int value() const { return *counter_; }

 private:
  using Counter = std::atomic<int>;
  void* memory_;
  Counter* counter_;
};

[[noreturn]] void append_for_ever(const fs::path& path, SharedCounter& committed) {
  store::ReportWriter writer(path);
  const auto run = writer.begin_run(start_of("O1"));
  Batch batch;
  batch.calls.assign(kCallsPerBatch, call(1, 1));
  while (true) {
    writer.append(run, batch);
    committed.increment();
  }
}

// Appends batches in a child process, and kills the process after `time`. Returns the number of committed batches.
int write_until_killed(const fs::path& path, std::chrono::milliseconds time) {
  SharedCounter committed;
  const pid_t child = ::fork();
  if (child == 0) append_for_ever(path, committed);
  while (committed.value() == 0) std::this_thread::yield();
  std::this_thread::sleep_for(time);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  return committed.value();
}

class Killed : public testing::TestWithParam<int> {};

TEST_P(Killed, AReportHoldsEverythingCommitted) {
  const TemporaryFolder folder;
  const fs::path path = folder / "r.ampprof";
  store::create_report(path, false);
  const int committed = write_until_killed(path, std::chrono::milliseconds(GetParam() * 7));

  const queries::Report report(path);
  const queries::RunRow run = queries::runs(report).at(0);
  EXPECT_FALSE(run.complete);
  EXPECT_EQ(run.op_calls % kCallsPerBatch, 0) << "a batch was written in part";
  EXPECT_GE(run.op_calls, std::int64_t{committed} * kCallsPerBatch);
  EXPECT_LE(run.op_calls, (std::int64_t{committed} + 1) * kCallsPerBatch) << "one more may be committed, not counted";
  EXPECT_EQ(queries::ops(report).at(0).calls, run.op_calls);

  store::Database database(path, store::OpenMode::Read);
  store::Statement check(database, "PRAGMA integrity_check");
  ASSERT_TRUE(check.next());
  EXPECT_EQ(check.text(), "ok");
}

INSTANTIATE_TEST_SUITE_P(TwentyTimes, Killed, testing::Range(0, 20));

TEST(KilledReport, IsOneFileAgainAfterFolding) {
  const TemporaryFolder folder;
  const fs::path path = folder / "r.ampprof";
  store::create_report(path, false);
  const int committed = write_until_killed(path, std::chrono::milliseconds(20));
  ASSERT_TRUE(fs::exists(path.string() + "-wal"));
  {
    store::ReportWriter writer(path);
    writer.end_run(1, 137);
    writer.fold();
  }
  EXPECT_FALSE(fs::exists(path.string() + "-wal"));
  const queries::RunRow run = queries::runs(queries::Report(path)).at(0);
  EXPECT_EQ(run.exit_code, 137);
  EXPECT_FALSE(run.complete);
  EXPECT_GE(run.op_calls, std::int64_t{committed} * kCallsPerBatch);
}

}  // namespace killed_test
}  // namespace ampprof
