// SPDX-License-Identifier: Apache-2.0
// Opens reports of other schema versions. old/ has a report of each version.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "reports/merge/merge.h"
#include "reports/queries/calls.h"
#include "reports/queries/losses.h"
#include "reports/queries/missing.h"
#include "reports/queries/open.h"
#include "reports/queries/ops.h"
#include "reports/queries/report.h"
#include "reports/queries/runs.h"
#include "reports/queries/segments.h"
#include "reports/records/run.h"
#include "reports/store/report_error.h"
#include "reports/store/schema.h"
#include "reports/store/writer.h"
#include "tests/reports/old_reports.h"
#include "tests/reports/sample_report.h"

namespace ampprof {
namespace versions_test {

using testing::AnyOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing_reports::bytes_of;
using testing_reports::old_reports;
using testing_reports::TemporaryFolder;
namespace fs = std::filesystem;

constexpr std::streamoff kVersionAt = 60;  // offset of the version: four bytes, big-endian
constexpr std::streamoff kApplicationAt = 68;

std::int64_t version_of(const fs::path& report) {
  return store::Database(report, store::OpenMode::Read).pragma("user_version");
}

std::string failure(const fs::path& path) {
  try {
    (void)queries::runs(queries::Report(path));
  } catch (const store::ReportError& error) {
    return error.what();
  }
  return "no failure";
}

void put_byte(const fs::path& path, std::streamoff place, int value) {
  std::fstream(path, std::ios::binary | std::ios::in | std::ios::out).seekp(place).put(static_cast<char>(value));
}

struct Versions : testing::Test {
  TemporaryFolder folder;
  fs::path path = folder / "r.ampprof";
};

TEST_F(Versions, EachHasAReportThatIsKept) {
  std::set<std::int64_t> versions;
  for (const fs::path& report : old_reports()) versions.insert(version_of(report));
  for (std::int64_t version = 1; version <= store::kSchemaVersion; ++version) {
    EXPECT_TRUE(versions.contains(version)) << "tests/reports/old/ has no report of schema " << version;
  }
}

TEST_F(Versions, EveryQueryReadsEach) {
  for (const fs::path& file : old_reports()) {
    SCOPED_TRACE(file);
    const queries::Report report(file);
    const auto runs = queries::runs(report);
    ASSERT_FALSE(runs.empty());
    const auto ops = queries::ops(report);
    EXPECT_FALSE(ops.empty());
    std::int64_t decoded = 0;
    std::int64_t counted = 0;
    for (const queries::RunRow& run : runs) {
      queries::each_call(report, run.run, [&](const queries::TimedCall&) { ++decoded; });
      counted += run.op_calls;
      EXPECT_NO_THROW((void)queries::segments(report, run.run));
      EXPECT_NO_THROW((void)queries::loss_by_step(report, run.run));
    }
    EXPECT_EQ(decoded, counted);
    EXPECT_NO_THROW((void)queries::missing(report));
  }
}

TEST_F(Versions, ReadingLeavesTheFileAlone) {
  for (const fs::path& file : old_reports()) {
    fs::copy_file(file, path, fs::copy_options::overwrite_existing);
    const std::string before = bytes_of(path);
    const auto written = fs::last_write_time(path);
    for (const queries::Reads reads : {queries::Reads::Views, queries::Reads::Tables}) {
      const queries::OpenReport open(path, reads);
      EXPECT_EQ(open.database->pragma("user_version"), store::kSchemaVersion);
      EXPECT_EQ(open.copy != nullptr, version_of(file) < store::kSchemaVersion);
    }
    EXPECT_EQ(bytes_of(path), before);
    EXPECT_EQ(fs::last_write_time(path), written);
    EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1);
  }
}

TEST_F(Versions, MergingBringsAReportToTheLast) {
  for (const fs::path& file : old_reports()) {
    merge::merge_reports({file}, path, true);
    EXPECT_EQ(version_of(path), store::kSchemaVersion);
    const queries::Report before(file);
    const queries::Report after(path);
    EXPECT_EQ(queries::ops(before).size(), queries::ops(after).size());
    EXPECT_EQ(queries::OpenReport(path).copy, nullptr);
  }
}

TEST_F(Versions, AWriterBringsAReportToTheLast) {
  for (const fs::path& file : old_reports()) {
    fs::copy_file(file, path, fs::copy_options::overwrite_existing);
    const std::size_t before = queries::runs(queries::Report(path)).size();
    {
      store::ReportWriter writer(path);
      const auto run = writer.begin_run(testing_reports::start_of("O1"));
      writer.append(run, testing_reports::two_steps());
      writer.end_run(run, 0);
      writer.fold();
    }
    EXPECT_EQ(version_of(path), store::kSchemaVersion);
    EXPECT_EQ(queries::runs(queries::Report(path)).size(), before + 1);
  }
}

TEST_F(Versions, AnyByteOfTheVersionChangedGivesASentence) {
  for (const fs::path& file : old_reports()) {
    fs::copy_file(file, path, fs::copy_options::overwrite_existing);
    const std::int64_t version = version_of(path);
    for (int byte = 0; byte < 4; ++byte) {
      const int original = byte == 3 ? static_cast<int>(version) : 0;
      for (int value = 0; value < 256; ++value) {
        if (value == original) continue;
        put_byte(path, kVersionAt + byte, value);
        const std::string said = failure(path);
        EXPECT_THAT(said, HasSubstr(path.string()));
        EXPECT_THAT(said, AnyOf(EndsWith("is damaged: it has no schema version"), EndsWith("to read it")))
            << "byte " << byte << " is " << value;
      }
      put_byte(path, kVersionAt + byte, original);
    }
    EXPECT_EQ(failure(path), "no failure");
  }
}

TEST_F(Versions, AnyByteOfTheApplicationChangedGivesASentence) {
  constexpr std::string_view kApplication = "ampp";
  fs::copy_file(old_reports().front(), path);
  for (std::size_t byte = 0; byte < kApplication.size(); ++byte) {
    const auto place = kApplicationAt + static_cast<std::streamoff>(byte);
    for (int value = 0; value < 256; ++value) {
      if (value == kApplication[byte]) continue;
      put_byte(path, place, value);
      EXPECT_EQ(failure(path), path.string() + " is not an ampprof report") << "byte " << byte << " is " << value;
    }
    put_byte(path, place, kApplication[byte]);
  }
  EXPECT_EQ(failure(path), "no failure");
}

struct Writer {
  const char* version;
  const char* said;
};

TEST_F(Versions, ANewerOneSaysWhatWroteItAndWhatToInstall) {
  const std::string schemas = " (schema 77, this ampprof reads up to " + std::to_string(store::kSchemaVersion) + "); ";
  const Writer writers[]{
      {"0.3.0", "ampprof, 0.3.0"},
      {"0.3.0.dev12+g1df7dc1a2b", "ampprof, 0.3.0.dev12+g1df7dc1a2b"},
      {"", "ampprof"},
      {"\x1b[31mred", "ampprof"},
      {"0.1; drop the disk", "ampprof"},
  };
  for (const Writer& writer : writers) {
    fs::remove(path);
    store::create_report(path, false);
    RunStart start = testing_reports::start_of("O1");
    start.ampprof_version = writer.version;
    store::ReportWriter(path).begin_run(start);
    store::Database(path, store::OpenMode::Write).run("PRAGMA journal_mode = DELETE; PRAGMA user_version = 77");
    const bool is_known = std::string_view(writer.said) != "ampprof";
    EXPECT_EQ(failure(path), path.string() + " was written by a newer " + writer.said + schemas + "install " +
                                 (is_known ? "that version or a later one" : "the newest ampprof") + " to read it");
  }
}

}  // namespace versions_test
}  // namespace ampprof
