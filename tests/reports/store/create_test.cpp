// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "reports/store/report_error.h"
#include "reports/store/schema.h"
#include "reports/store/sqlite.h"
#include "tests/reports/sample_report.h"

namespace ampprof {
namespace create_test {

using testing::HasSubstr;
using testing_reports::bytes_of;
using testing_reports::TemporaryFolder;
using testing_reports::write_bytes;
namespace fs = std::filesystem;

std::vector<std::string> names_in(const TemporaryFolder& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder.path())) names.push_back(entry.path().filename());
  return names;
}

std::string failure(const fs::path& path, bool replace) {
  try {
    store::create_report(path, replace);
  } catch (const store::ReportError& error) {
    return error.what();
  }
  return "no failure";
}

TEST(CreateReport, LeavesOneFileThatIsAReport) {
  const TemporaryFolder folder;
  store::create_report(folder / "r.ampprof", false);
  EXPECT_THAT(names_in(folder), testing::ElementsAre("r.ampprof"));
  store::Database database(folder / "r.ampprof", store::OpenMode::Read);
  EXPECT_NO_THROW(store::check_is_report(database));
}

TEST(CreateReport, StoresIdentityWhereFileToolsLook) {
  const TemporaryFolder folder;
  store::create_report(folder / "r.ampprof", false);
  EXPECT_EQ(bytes_of(folder / "r.ampprof").substr(68, 4), "ampp");
}

TEST(CreateReport, NeverOverwritesUnlessTold) {
  const TemporaryFolder folder;
  write_bytes(folder / "r", "precious");
  EXPECT_THAT(failure(folder / "r", false), HasSubstr("exists already"));
  EXPECT_EQ(bytes_of(folder / "r"), "precious");
  EXPECT_THAT(names_in(folder), testing::ElementsAre("r"));

  store::create_report(folder / "r", true);
  EXPECT_TRUE(bytes_of(folder / "r").starts_with("SQLite format 3"));
}

TEST(CreateReport, OfManyAtOnceOneWins) {
  const TemporaryFolder folder;
  for (int round = 0; round < 10; ++round) {
    const fs::path path = folder / ("r" + std::to_string(round));
    std::atomic<int> made{0};
    std::atomic<int> refused{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] { ++(failure(path, false) == "no failure" ? made : refused); });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(made, 1);
    EXPECT_EQ(refused, 3);
  }
  EXPECT_EQ(names_in(folder).size(), 10u) << "temporary files are left";
}

// create_report() must delete the log of a killed program: SQLite would replay the log into a new file of the same
// name.
TEST(CreateReport, ALogOfAFormerFileDoesNotLeakIn) {
  const TemporaryFolder folder;
  const fs::path path = folder / "r";
  {
    store::create_report(path, false);
    store::ReportWriter writer(path);
    writer.begin_run(testing_reports::start_of("O1"));
    fs::copy_file(path.string() + "-wal", folder / "kept");
  }
  for (const bool replace : {true, false}) {
    if (!replace) fs::remove(path);
    fs::copy_file(folder / "kept", path.string() + "-wal", fs::copy_options::overwrite_existing);
    store::create_report(path, replace);
    EXPECT_FALSE(fs::exists(path.string() + "-wal"));
    store::Database database(path, store::OpenMode::Read);
    store::Statement runs(database, "SELECT count(*) FROM run");
    runs.next();
    EXPECT_EQ(runs.integer(), 0);
  }
}

TEST(CreateReport, SaysWhyItCannot) {
  const TemporaryFolder folder;
  write_bytes(folder / "file", "");
  fs::create_directory(folder / "sub");
  EXPECT_THAT(failure(folder / "none/r", false), HasSubstr("does not exist"));
  EXPECT_THAT(failure(folder / "none/r", false), HasSubstr((folder / "none").string()));
  EXPECT_THAT(failure(folder / "file/r", false), HasSubstr("is not a directory"));
  EXPECT_THAT(failure(folder / "sub", true), HasSubstr("it is a directory"));
  EXPECT_THAT(failure("/dev/null", true), HasSubstr("not a regular file"));
  EXPECT_THAT(failure("/proc/r", false), HasSubstr("cannot write the report"));
}

TEST(CreateReport, TakesANameWithoutFolder) {
  const TemporaryFolder folder;
  const fs::path before = fs::current_path();
  fs::current_path(folder.path());
  EXPECT_NO_THROW(store::create_report("r.ampprof", false));
  fs::current_path(before);
  EXPECT_TRUE(fs::exists(folder / "r.ampprof"));
}

}  // namespace create_test
}  // namespace ampprof
