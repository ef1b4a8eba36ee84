// SPDX-License-Identifier: Apache-2.0
#include "reports/merge/merge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>

#include "reports/merge/filtered_copy.h"
#include "reports/merge/tables.h"
#include "reports/queries/events.h"
#include "reports/queries/missing.h"
#include "reports/queries/ops.h"
#include "reports/queries/report.h"
#include "reports/queries/run_names.h"
#include "reports/records/batch.h"
#include "reports/records/probe.h"
#include "reports/records/run.h"
#include "reports/store/report_error.h"
#include "reports/store/sqlite.h"
#include "tests/reports/sample_report.h"

namespace ampprof {
namespace merge_test {

using testing::ElementsAre;
using testing::HasSubstr;
using namespace testing_reports;

/// Writes a report with one run for each of `seeds`. Merging takes runs with equal seeds for the same run.
void write_report(const fs::path& path, const std::vector<std::int64_t>& seeds) {
  store::create_report(path, true);
  store::ReportWriter writer(path);
  for (const std::int64_t seed : seeds) {
    RunStart start = start_of("O1");
    start.seed = seed;
    const std::int64_t run = writer.begin_run(start);
    writer.attach(run, {.device = "cpu", .torch_version = "2.11.0", .settings_json = "{}", .level = "O1"});
    Batch batch = two_steps();
    batch.calls.front().duration_ns = seed;
    writer.append(run, batch);
    writer.detach(run, {.peak_bytes = 1, .wall_ns = 2, .overhead_ns = 1});
    writer.end_run(run, 0);
    ProbeRecords probed;
    probed.times.push_back({.matmul = {"mm", "f16[2,3]"}, .timing = {.median_us = 1.0}, .device = "cpu"});
    probed.algorithms.push_back({.matmul = {"mm", "f16[2,3]"}, .failure = "none", .device = "cpu"});
    writer.add_probe(run, probed);
  }
  writer.fold();
}

// Returns the rows of a run in all tables as text, without the ids that merging renumbers.
std::vector<std::string> rows_of(const fs::path& path, std::int64_t run) {
  store::Database database(path, store::OpenMode::Read);
  std::vector<std::string> all;
  for (const merge::TableShape& table : merge::tables_of(database)) {
    std::string columns = "'" + table.name + "'";
    for (const merge::ColumnShape& column : table.columns) {
      if (column.refers_to.empty()) columns += ", quote(" + column.name + ")";
    }
    const bool is_of_event = table.columns.front().refers_to == "nonfinite_event";
    const std::string which = table.name == "run" ? "id = ?1"
                              : is_of_event       ? "event IN (SELECT id FROM nonfinite_event WHERE run = ?1)"
                                                  : "run = ?1";
    store::Statement rows(database, "SELECT " + columns + " FROM " + table.name + " WHERE " + which);
    rows.put(run);
    while (rows.next()) {
      std::string& row = all.emplace_back(rows.text());
      for (const merge::ColumnShape& column : table.columns) row += column.refers_to.empty() ? " " + rows.text() : "";
    }
  }
  return all;
}

std::vector<std::string> files_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

class Merging : public testing::Test {
 protected:
  Merging() {
    write_report(folder_ / "a", {11, 12});
    write_report(folder_ / "b", {13});
  }
  std::vector<merge::MergedRun> merged(const std::vector<fs::path>& sources, bool replace = false) const {
    return merge::merge_reports(sources, folder_ / "all", replace);
  }
  std::string failure(const std::vector<fs::path>& sources, bool replace = false) const {
    try {
      merged(sources, replace);
    } catch (const store::ReportError& error) {
      return error.what();
    }
    return "none";
  }

  TemporaryFolder folder_;
};

TEST_F(Merging, NumbersRunsInTheOrderOfTheFiles) {
  EXPECT_THAT(merged({folder_ / "b", folder_ / "a"}),
              ElementsAre(merge::MergedRun{folder_ / "b", 1, 1}, merge::MergedRun{folder_ / "a", 1, 2},
                          merge::MergedRun{folder_ / "a", 2, 3}));
  const queries::Report report(folder_ / "all");
  ASSERT_EQ(queries::runs_named(report).size(), 3u);
  EXPECT_THAT(files_in(folder_.path()), ElementsAre("a", "all", "b"));
}

TEST_F(Merging, KeepsEveryRowOfEveryRun) {
  for (const merge::MergedRun& run : merged({folder_ / "b", folder_ / "a"})) {
    const auto rows = rows_of(folder_ / "all", run.run);
    EXPECT_GT(rows.size(), 15u);
    EXPECT_EQ(rows, rows_of(run.source, run.source_run));
  }
}

TEST_F(Merging, KeepsAnswersOfQueries) {
  for (const merge::MergedRun& run : merged({folder_ / "b", folder_ / "a"})) {
    const queries::Report before(run.source);
    const queries::Report after(folder_ / "all");
    const auto old_ops = queries::ops(before, run.source_run);
    const auto new_ops = queries::ops(after, run.run);
    ASSERT_EQ(old_ops.size(), new_ops.size());
    for (std::size_t i = 0; i < old_ops.size(); ++i) {
      EXPECT_EQ(old_ops[i].call_site, new_ops[i].call_site);
      EXPECT_EQ(old_ops[i].cpu_us, new_ops[i].cpu_us);
      EXPECT_EQ(old_ops[i].local, new_ops[i].local);
    }
    EXPECT_EQ(queries::events(before, run.source_run).at(0).chain, queries::events(after, run.run).at(0).chain);
    EXPECT_EQ(queries::missing(before, run.source_run).size(), queries::missing(after, run.run).size());
  }
}

TEST_F(Merging, KeepsARunOnceThatTwoFilesHold) {
  merged({folder_ / "a", folder_ / "b"});
  fs::rename(folder_ / "all", folder_ / "first");
  const auto again = merged({folder_ / "b", folder_ / "first"});
  ASSERT_EQ(again.size(), 4u);
  EXPECT_EQ(again[0], (merge::MergedRun{folder_ / "b", 1, 1}));
  EXPECT_EQ(again[1], (merge::MergedRun{folder_ / "first", 3, 1, true}));
  EXPECT_EQ(queries::runs_named(queries::Report(folder_ / "all")).size(), 3u);
  EXPECT_EQ(queries::events(queries::Report(folder_ / "all")).size(), 3u);
}

TEST_F(Merging, TakesARunWithoutARecorderEachTime) {
  for (const char* name : {"c", "d"}) {
    store::create_report(folder_ / name, false);
    store::ReportWriter writer(folder_ / name);
    writer.begin_run(start_of(""));
  }
  EXPECT_EQ(merged({folder_ / "c", folder_ / "d"}).size(), 2u);
  EXPECT_EQ(queries::runs_named(queries::Report(folder_ / "all")).size(), 2u)
      << "nothing tells them apart, and nothing says they are one";
}

TEST_F(Merging, KnowsARunByItsStepsOrByItsEnd) {
  for (const char* name : {"steps", "end"}) {
    store::create_report(folder_ / name, false);
    store::ReportWriter writer(folder_ / name);
    const std::int64_t run = writer.begin_run(start_of("O1"));
    if (name == std::string("steps")) writer.append(run, two_steps());
    if (name == std::string("end")) writer.detach(run, {.wall_ns = 5});
  }
  for (const char* name : {"steps", "end"}) {
    fs::copy_file(folder_ / name, folder_ / "copy", fs::copy_options::overwrite_existing);
    const auto runs = merged({folder_ / name, folder_ / "copy"}, true);
    ASSERT_EQ(runs.size(), 2u) << name;
    EXPECT_TRUE(runs[1].is_repeated) << name;
    EXPECT_EQ(runs[1].run, runs[0].run);
  }
}

TEST_F(Merging, ReplacesOnlyWhenTold) {
  write_bytes(folder_ / "all", "precious");
  EXPECT_THAT(failure({folder_ / "a"}), HasSubstr("exists already"));
  EXPECT_EQ(bytes_of(folder_ / "all"), "precious");
  EXPECT_EQ(failure({folder_ / "a"}, true), "none");
}

TEST_F(Merging, LeavesNothingBehindWhereASourceCannotBeRead) {
  write_bytes(folder_ / "text", "no report");
  EXPECT_THAT(failure({folder_ / "a", folder_ / "text"}), HasSubstr("is not an ampprof report"));
  EXPECT_THAT(failure({folder_ / "a", folder_ / "none"}), HasSubstr("cannot open the report"));
  EXPECT_THAT(files_in(folder_.path()), ElementsAre("a", "b", "text"));
}

TEST_F(Merging, NamesTheFirstSourceThatIsDamaged) {
  write_report(folder_ / "c", {14});
  write_bytes(folder_ / "b", bytes_of(folder_ / "b").substr(0, 3 * 4096));
  fs::remove(folder_ / "c");
  EXPECT_THAT(failure({folder_ / "a", folder_ / "b", folder_ / "c"}), HasSubstr("/b is damaged"));
  EXPECT_THAT(failure({folder_ / "a", folder_ / "c", folder_ / "b"}), HasSubstr("cannot open the report"));
  EXPECT_THAT(files_in(folder_.path()), ElementsAre("a", "b"));
}

TEST_F(Merging, TakesAFileThatIsGivenTwiceInARow) {
  fs::create_hard_link(folder_ / "b", folder_ / "again");
  const auto runs = merged({folder_ / "b", folder_ / "again", folder_ / "a"});
  EXPECT_THAT(runs, ElementsAre(merge::MergedRun{folder_ / "b", 1, 1}, merge::MergedRun{folder_ / "again", 1, 1, true},
                                merge::MergedRun{folder_ / "a", 1, 2}, merge::MergedRun{folder_ / "a", 2, 3}));
}

TEST_F(Merging, HasLargePagesWhereTheSourcesAreLarge) {
  const auto page_size = [&] { return store::Database(folder_ / "all", store::OpenMode::Read).pragma("page_size"); };
  merged({folder_ / "a", folder_ / "b"});
  EXPECT_EQ(page_size(), 4096);
  fs::resize_file(folder_ / "b", 65 << 20);  // adds a hole after the last page, which SQLite ignores
  merged({folder_ / "a", folder_ / "b"}, true);
  EXPECT_EQ(page_size(), 16384);
  EXPECT_EQ(queries::runs_named(queries::Report(folder_ / "all")).size(), 3u);
}

TEST_F(Merging, MakesATemporaryCopyWhereThereIsRoomForOne) {
  const merge::TextFilter as_it_is = [](const std::string&, const std::string&, const std::string& text) {
    return text;
  };
  fs::path copied_to;
  {
    const merge::FilteredCopy copy(folder_ / "a", as_it_is);
    copied_to = copy.path();
    EXPECT_EQ(queries::runs_named(queries::Report(copied_to)).size(), 2u);
  }
  EXPECT_FALSE(fs::exists(copied_to));
  const char* const before = std::getenv("TMPDIR");
  const std::string kept = before != nullptr ? before : "";
  ::setenv("TMPDIR", (folder_ / "none").c_str(), 1);
  try {
    const merge::FilteredCopy copy(folder_ / "a", as_it_is);
    ADD_FAILURE() << "no error";
  } catch (const store::WriteError& error) {
    EXPECT_THAT(error.what(),
                testing::StartsWith("cannot make a temporary copy in " + (folder_ / "none/ampprof-").string()));
  }
  before != nullptr ? ::setenv("TMPDIR", kept.c_str(), 1) : ::unsetenv("TMPDIR");
}

TEST_F(Merging, RefusesAnotherSchemaVersion) {
  store::Database(folder_ / "b", store::OpenMode::Write).run("PRAGMA user_version = 99");
  EXPECT_THAT(failure({folder_ / "a", folder_ / "b"}), HasSubstr("newer ampprof"));
  EXPECT_FALSE(fs::exists(folder_ / "all"));
}

TEST_F(Merging, BlamesASourceForARowThatCannotBe) {
  store::Database(folder_ / "b", store::OpenMode::Write)
      .run(
          "PRAGMA writable_schema = ON;"
          "UPDATE sqlite_schema SET sql = replace(sql, 'level         TEXT    NOT NULL', 'level TEXT');"
          "PRAGMA writable_schema = RESET; UPDATE run SET level = NULL");
  EXPECT_THAT(failure({folder_ / "a", folder_ / "b"}), HasSubstr("/b is damaged: its table run"));
  EXPECT_FALSE(fs::exists(folder_ / "all"));
}

TEST_F(Merging, LeavesNothingBehindOnAFullDisk) {
  const auto previous = std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  for (const rlim_t size : {0, 4096, 20'000, 100'000}) {
    const rlimit limit{size, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
    const std::string said = failure({folder_ / "a", folder_ / "b"});
    setrlimit(RLIMIT_FSIZE, &before);
    EXPECT_THAT(said, HasSubstr((folder_ / "all").string() + (said.find("disk") == std::string::npos ? ":" : "")));
    EXPECT_EQ(said.find(".new-"), std::string::npos) << said;
    EXPECT_THAT(files_in(folder_.path()), ElementsAre("a", "b"));
  }
  std::signal(SIGXFSZ, previous);
}

}  // namespace merge_test
}  // namespace ampprof
