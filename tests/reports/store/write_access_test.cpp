// SPDX-License-Identifier: Apache-2.0
// Opens reports whose log index (the -shm file) cannot be shared by processes, because a folder or a link has its name
// or because the file cannot be mapped.
#include "reports/store/write_access.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>

#include "reports/queries/open.h"
#include "reports/queries/report.h"
#include "reports/queries/runs.h"
#include "reports/records/batch.h"
#include "reports/store/report_error.h"
#include "tests/reports/sample_report.h"

namespace ampprof {
namespace write_access_test {

using testing_reports::call;
using testing_reports::start_of;
using testing_reports::TemporaryFolder;
namespace fs = std::filesystem;

enum class Obstacle {
  Folder,     ///< has_shared_memory() notices the folder
  Link,       ///< SQLite cannot open the link
  Unmappable  ///< like a file on a file system without memory mapping
};

fs::path g_unmappable;

void* mmap_but_one_file(void* address, std::size_t size, int protection, int flags, int file, off_t offset) {
  std::error_code ignored;
  if (fs::read_symlink("/proc/self/fd/" + std::to_string(file), ignored) == g_unmappable) {
    errno = ENODEV;
    return MAP_FAILED;
  }
  return ::mmap(address, size, protection, flags, file, offset);
}

/// Replaces a system call of SQLite during the lifetime of the object.
class SystemCall {
 public:
  template <typename Function>
  SystemCall(const char* name, Function* function) : name_(name) {
    set(reinterpret_cast<sqlite3_syscall_ptr>(function));
  }
  ~SystemCall() { set(nullptr); }
  SystemCall(const SystemCall&) = delete;
  SystemCall& operator=(const SystemCall&) = delete;

 private:
  void set(sqlite3_syscall_ptr function) {
    sqlite3_vfs* const vfs = ::sqlite3_vfs_find(nullptr);
    vfs->xSetSystemCall(vfs, name_, function);
  }

  const char* name_;
};

/// Records into a report in another process until end().
class Recorder {
 public:
  Recorder(const fs::path& report, std::int64_t run, const std::function<void()>& end) {
    int done[2];
    int go[2];
    if (::pipe(done) != 0 || ::pipe(go) != 0) throw std::runtime_error("no pipes");
    process_ = ::fork();
    if (process_ == 0) {
      store::ReportWriter writer(report);
      writer.attach(run, {});
      writer.attach(run, {});  // attaching again is harmless
      Batch batch;
      batch.calls.assign(30, call(1, 1));
      writer.append(run, batch);
      char byte = 0;
      if (::write(done[1], &byte, 1) != 1 || ::read(go[0], &byte, 1) != 1) ::_exit(1);
      end();
      writer.detach(run, {});
      ::_exit(0);
    }
    ::close(done[1]);
    ::close(go[0]);
    char byte = 0;
    has_appended_ = ::read(done[0], &byte, 1) == 1;
    ::close(done[0]);
    go_ = go[1];
  }
  ~Recorder() { end(); }
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  bool has_appended() const { return has_appended_; }
  /// Ends the process, and waits for its end. Returns the wait status of the process; -1 after the first call.
  int end() {
    int status = -1;
    if (process_ == 0) return status;
    const char byte = 0;
    (void)!::write(go_, &byte, 1);
    ::close(go_);
    ::waitpid(std::exchange(process_, 0), &status, 0);
    return status;
  }

 private:
  pid_t process_ = 0;
  int go_ = -1;
  bool has_appended_ = false;
};

struct WithoutSharedMemory : testing::TestWithParam<Obstacle> {
  void SetUp() override {
    store::create_report(path, false);
    if (GetParam() == Obstacle::Folder) fs::create_directories(shm / "in_use");
    if (GetParam() == Obstacle::Link) fs::create_symlink(shm, shm);
    if (GetParam() == Obstacle::Unmappable) g_unmappable = shm;
  }
  void TearDown() override { g_unmappable.clear(); }

  std::int64_t calls() const { return queries::runs(queries::Report(path)).at(0).op_calls; }
  void expect_one_file() const {
    EXPECT_FALSE(fs::exists(path.string() + "-wal"));
    EXPECT_NE(fs::symlink_status(shm).type(), fs::file_type::regular);
    EXPECT_FALSE(queries::needs_copy(path, [](const fs::path&) { return false; })) << "it is in WAL mode";
  }

  TemporaryFolder folder;
  fs::path path = folder / "r.ampprof";
  fs::path shm = path.string() + "-shm";
  SystemCall mmap_{"mmap", mmap_but_one_file};
};

TEST_P(WithoutSharedMemory, AReportIsOneFileBetweenItsWriters) {
  store::ReportWriter launcher(path);
  const auto run = launcher.begin_run(start_of("O1"));
  expect_one_file();
  Recorder recorder(path, run, [] {});
  ASSERT_TRUE(recorder.has_appended());
  EXPECT_TRUE(fs::exists(path.string() + "-wal"));
  ASSERT_EQ(recorder.end(), 0);
  expect_one_file();
  launcher.end_run(run, 3);
  EXPECT_TRUE(launcher.attached(run));
  launcher.fold();
  expect_one_file();
  EXPECT_EQ(calls(), 30);
  EXPECT_EQ(queries::runs(queries::Report(path)).at(0).exit_code, 3);
}

TEST_P(WithoutSharedMemory, AReportHoldsWhatARecorderWroteThatWasKilled) {
  store::ReportWriter launcher(path);
  const auto run = launcher.begin_run(start_of("O1"));
  Recorder recorder(path, run, [] { ::raise(SIGKILL); });
  ASSERT_TRUE(recorder.has_appended());
  ASSERT_EQ(WTERMSIG(recorder.end()), SIGKILL);
  ASSERT_TRUE(fs::exists(path.string() + "-wal")) << "else there is nothing to fold";
  EXPECT_EQ(calls(), 30) << "before anyone writes again";
  launcher.end_run(run, 137);
  expect_one_file();
  EXPECT_EQ(calls(), 30);
  launcher.begin_run(start_of("O2"));
  EXPECT_EQ(queries::runs(queries::Report(path)).size(), 2u);
}

TEST_P(WithoutSharedMemory, AReportThatWasLeftByAllIsTakenUp) {
  const auto run = store::ReportWriter(path).begin_run(start_of("O1"));
  Recorder recorder(path, run, [] { ::raise(SIGKILL); });
  ASSERT_TRUE(recorder.has_appended());
  recorder.end();
  store::ReportWriter(path).end_run(run, 137);
  expect_one_file();
  EXPECT_EQ(calls(), 30);
}

TEST_P(WithoutSharedMemory, AReportIsReadAsACopyWhileItIsRecorded) {
  const auto run = store::ReportWriter(path).begin_run(start_of("O1"));
  Recorder recorder(path, run, [] {});
  ASSERT_TRUE(recorder.has_appended());
  EXPECT_TRUE(queries::needs_copy(path));
  EXPECT_EQ(calls(), 30);
  ASSERT_EQ(recorder.end(), 0);
  EXPECT_FALSE(queries::needs_copy(path));
  EXPECT_EQ(calls(), 30);
}

TEST_P(WithoutSharedMemory, AReportIsKeptFromOtherWritersWhileItIsRecorded) {
  store::WriteAccess launcher(path);
  const auto run = store::ReportWriter(path).begin_run(start_of("O1"));
  Recorder recorder(path, run, [] {});
  ASSERT_TRUE(recorder.has_appended());
  launcher.database().wait_for_locks(0);
  try {
    launcher.prepare();
    ADD_FAILURE() << "no error";
  } catch (const store::ReportError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("another process keeps the report"));
  }
  ASSERT_EQ(recorder.end(), 0);
  EXPECT_NO_THROW(launcher.prepare());
}

TEST_P(WithoutSharedMemory, AFileThatIsNotAReportStaysAsItIs) {
  store::Database(folder / "other", store::OpenMode::Create).run("CREATE TABLE t (x)");
  if (GetParam() != Obstacle::Unmappable) fs::rename(shm, folder / "other-shm");
  EXPECT_THROW(store::ReportWriter(folder / "other"), store::ReportError);
  EXPECT_FALSE(queries::needs_copy(folder / "other", [](const fs::path&) { return false; })) << "it is in WAL mode";
}

std::string name_of(const testing::TestParamInfo<Obstacle>& tested) {
  constexpr const char* kNames[]{"Folder", "Link", "Unmappable"};
  return kNames[static_cast<int>(tested.param)];
}

INSTANTIATE_TEST_SUITE_P(ByAnyObstacle, WithoutSharedMemory,
                         testing::Values(Obstacle::Folder, Obstacle::Link, Obstacle::Unmappable), name_of);

int fcntl_without_locks(int file, int command, void* argument) {
  if (command != F_SETLK) return ::fcntl(file, command, argument);
  errno = ENOSYS;
  return -1;
}

TEST(WithoutLocks, AReportIsToBeWrittenElsewhere) {
  const TemporaryFolder folder;
  const SystemCall fcntl_("fcntl", fcntl_without_locks);
  try {
    store::create_report(folder / "r", false);
    ADD_FAILURE() << "no error";
  } catch (const store::WriteError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("does not support file locks; write the report to a local disk"));
  }
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

}  // namespace write_access_test
}  // namespace ampprof
