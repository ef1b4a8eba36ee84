// SPDX-License-Identifier: Apache-2.0
#include "profiler/recorder/recorder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <map>
#include <optional>
#include <string>
#include <thread>

#include "reports/queries/calls.h"
#include "reports/queries/missing.h"
#include "reports/queries/ops.h"
#include "reports/queries/report.h"
#include "reports/queries/run_names.h"
#include "reports/queries/segments.h"
#include "reports/records/batch.h"
#include "reports/records/op_call.h"
#include "reports/records/run.h"
#include "reports/records/statistics.h"
#include "reports/store/oldest_details.h"
#include "reports/store/sqlite.h"
#include "reports/store/writer.h"
#include "tests/reports/sample_report.h"

namespace ampprof::profiler {
namespace recorder_test {

using testing_reports::start_of;
using testing_reports::TemporaryFolder;

OpCall call_of(std::int64_t site, bool is_readable) {
  OpCall call;
  call.segment = 1;
  call.call_site = site;
  call.signature = 1;
  call.duration_ns = 1'000;
  if (is_readable) call.local = ErrorStats{.count = 1};
  return call;
}

class RecorderTest : public ::testing::Test {
 protected:
  RecorderTest() {
    store::create_report(path_, false);
    run_ = store::ReportWriter(path_).begin_run(start_of("O1"));
  }

  static void name_sites(Recorder& recorder, std::int64_t sites) {
    recorder.add([&](Batch& batch) {
      batch.segments.push_back({.id = 1, .step = 1});
      for (std::int64_t id = 1; id <= sites; ++id) {
        batch.call_sites.push_back({.id = id, .module = "m", .op = "add", .ordinal = 0, .source = ""});
      }
    });
  }

  std::int64_t calls_in_report() const {
    std::int64_t calls = 0;
    for (const queries::OpRow& op : queries::ops(queries::Report(path_))) calls += op.calls;
    return calls;
  }

  static std::int64_t rows_of(store::Database& database, const std::string& table) {
    store::Statement count(database, "SELECT count(*) FROM " + table);
    count.next();
    return count.integer();
  }

  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_.path() / "r.ampprof";
  std::int64_t run_ = 0;
};

/// Adds a call while its thread's locals are destroyed, after at least two more writes. The recorder's own thread
/// locals are then destroyed already if they were constructed after this object.
struct LastCall {
  Recorder* recorder = nullptr;
  const std::atomic<int>* writes = nullptr;
  ~LastCall() {
    for (const int before = *writes; *writes < before + 3;) std::this_thread::yield();
    recorder->add_call(call_of(1, false));
  }
};

// Programs that call ops in an exit handler add such calls.
TEST_F(RecorderTest, TakesCallsOfAThreadThatHasLostItsLocals) {
  std::atomic<int> writes = 0;
  Recorder recorder(path_, run_, {.device = "cpu", .torch_version = "", .settings_json = "{}", .level = ""},
                    std::chrono::milliseconds(1));
  recorder.open();
  recorder.set_before_write([&] { ++writes; });
  name_sites(recorder, 1);
  std::thread([&] {
    thread_local LastCall last;
    last.recorder = &recorder;
    last.writes = &writes;
    recorder.add_call(call_of(1, false));
  }).join();
  recorder.close({});
  EXPECT_EQ(calls_in_report(), 2);
}

TEST_F(RecorderTest, LeavesTheReportAloneUntilItIsOpened) {
  {
    Recorder never(path_, run_, {.device = "cpu", .torch_version = "", .settings_json = "{}", .level = ""});
    name_sites(never, 1);
    never.add_call(call_of(1, false));
    never.close({});
  }
  EXPECT_EQ(calls_in_report(), 0);
  EXPECT_FALSE(store::ReportWriter(path_).attached(run_));

  Recorder later(path_, run_, {.device = "cpu", .torch_version = "", .settings_json = "{}", .level = ""});
  name_sites(later, 1);
  later.add_call(call_of(1, false));
  later.open();
  later.add_call(call_of(1, true));
  later.close({});
  EXPECT_EQ(calls_in_report(), 2) << "what came before is written too";
}

TEST_F(RecorderTest, WritesSoonWhereItIsAsked) {
  std::promise<void> written;
  std::atomic<bool> is_first{true};
  Recorder recorder(path_, run_, {}, std::chrono::hours(1));
  recorder.open();
  recorder.set_before_write([&] {
    if (is_first.exchange(false)) written.set_value();
  });
  recorder.write_soon();
  EXPECT_EQ(written.get_future().wait_for(std::chrono::minutes(1)), std::future_status::ready);
  for (int i = 0; i < 100; ++i) recorder.write_soon();  // must not write again at once
}

TEST_F(RecorderTest, WritesOnceMoreAtItsEndAndNotInBetween) {
  std::promise<void> written;
  int writes = 0;
  Recorder recorder(path_, run_, {}, std::chrono::hours(1));
  recorder.set_before_write([&] {
    if (++writes == 1) written.set_value();
  });
  recorder.open();
  recorder.write_soon();
  written.get_future().wait();
  for (int i = 0; i < 100; ++i) recorder.write_soon();
  recorder.close({});
  EXPECT_EQ(writes, 2);
  EXPECT_TRUE(queries::missing(queries::Report(path_)).empty());
}

TEST_F(RecorderTest, WritesWhenItsIntervalIsOver) {
  std::promise<void> written;
  std::atomic<int> writes{0};
  Recorder recorder(path_, run_, {}, std::chrono::milliseconds(1));
  recorder.set_before_write([&] {
    if (++writes == 3) written.set_value();
  });
  recorder.open();
  EXPECT_EQ(written.get_future().wait_for(std::chrono::minutes(1)), std::future_status::ready);
}

TEST_F(RecorderTest, WritesWhatIsKnownLaterOfARun) {
  Recorder recorder(path_, run_, {.device = "cpu", .torch_version = "", .settings_json = "{}", .level = ""});
  recorder.open();
  recorder.attach_again({.device = "cpu", .torch_version = "", .settings_json = "{}", .level = "O2"});
  recorder.close({});
  EXPECT_EQ(queries::runs_named(queries::Report(path_)).at(0).level, "O2") << "though there is nothing else to write";
}

TEST_F(RecorderTest, SaysOnceThatTheReportIsGone) {
  testing::internal::CaptureStderr();
  Recorder recorder(path_, run_, {}, std::chrono::hours(1));
  recorder.open();
  name_sites(recorder, 1);
  std::filesystem::remove(path_);
  recorder.close({});
  recorder.add_call(call_of(1, true));
  recorder.add([](Batch&) { ADD_FAILURE() << "nothing is kept for a report that is gone"; });
  recorder.close({});
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_TRUE(said.starts_with("ampprof: recording stopped, the program continues: the report ")) << said;
  EXPECT_EQ(std::ranges::count(said, '\n'), 1) << said;
}

TEST_F(RecorderTest, LeavesAReportAloneWhereThereIsNothingToWrite) {
  testing::internal::CaptureStderr();
  {
    Recorder recorder(path_, run_, {}, std::chrono::hours(1));
    recorder.open();
    std::filesystem::remove(path_);
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST_F(RecorderTest, SaysThatTheEndCouldNotBeRecorded) {
  testing::internal::CaptureStderr();
  Recorder recorder(path_, run_, {}, std::chrono::hours(1));
  recorder.open();
  std::filesystem::remove(path_);
  recorder.close({});
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_TRUE(said.starts_with("ampprof: the end of the run could not be recorded: the report ")) << said;
}

/// The size that the recorder assumes for each record of a kind.
struct Weight {
  const char* kind;
  std::int64_t bytes;
  void (*add)(Recorder& recorder, std::size_t count);
};

template <auto List>
void add_rows(Recorder& recorder, std::size_t count) {
  recorder.add([&](Batch& batch) { (batch.*List).resize(count); });
}

TEST_F(RecorderTest, IsFullAtSevenEighthsOfTheLargestSizeWithWhatIsAboutToBeWritten) {
  static const Weight weights[]{{"plain calls", 16,
                                 [](Recorder& to, std::size_t count) {
                                   while (count-- > 0) to.add_call(call_of(1, false));
                                 }},
                                {"calls", 300,
                                 [](Recorder& to, std::size_t count) {
                                   while (count-- > 0) to.add_call(call_of(1, true));
                                 }},
                                {"impacts", 80, add_rows<&Batch::impacts>},
                                {"updates", 80, add_rows<&Batch::updates>},
                                {"checksums", 80, add_rows<&Batch::checksums>},
                                {"collectives", 80, add_rows<&Batch::collectives>},
                                {"ranges", 80, add_rows<&Batch::ranges>},
                                {"casts", 80, add_rows<&Batch::casts>},
                                {"activities", 80, add_rows<&Batch::activities>},
                                {"segments", 80, add_rows<&Batch::segments>},
                                {"losses", 0, add_rows<&Batch::losses>}};
  const auto copy = folder_ / "copy.ampprof";
  const auto size_once_open = [&] {
    std::filesystem::copy_file(path_, copy, std::filesystem::copy_options::overwrite_existing);
    Recorder recorder(copy, run_, {}, std::chrono::hours(1));
    recorder.open();
    store::Database database(copy, store::OpenMode::Read);
    return store::used_bytes(database);
  }();
  const auto is_full = [&](const Weight& weight, std::size_t count, std::int64_t max_bytes) {
    std::filesystem::copy_file(path_, copy, std::filesystem::copy_options::overwrite_existing);
    Recorder recorder(copy, run_, {}, std::chrono::hours(1), max_bytes);
    recorder.open();
    weight.add(recorder, count);
    recorder.close({});
    return recorder.is_full();
  };
  for (const Weight& weight : weights) {
    for (const std::size_t count : {10, 11, 12, 13, 14, 15, 16}) {  // every remainder of the size modulo 7
      if (count > 10 && weight.bytes != 16) continue;
      const std::int64_t eighths = (size_once_open + weight.bytes * static_cast<std::int64_t>(count)) / 7;
      EXPECT_TRUE(is_full(weight, count, 8 * eighths) || weight.bytes == 0) << weight.kind << ' ' << count;
      EXPECT_FALSE(is_full(weight, count, 8 * eighths + 8)) << weight.kind << ' ' << count;
    }
  }
}

TEST_F(RecorderTest, WritesTheCallsOfAllThreads) {
  {
    Recorder recorder(path_, run_, {});
    recorder.open();
    name_sites(recorder, 4);
    std::vector<std::thread> threads;
    for (std::int64_t site = 1; site <= 4; ++site) {
      threads.emplace_back([&, site] {
        for (int i = 0; i < 5'000; ++i) recorder.add_call(call_of(site, i % 10 == 0));
      });
    }
    for (std::thread& thread : threads) thread.join();
    recorder.close({});
  }
  const auto ops = queries::ops(queries::Report(path_));
  ASSERT_EQ(ops.size(), 4u);
  for (const queries::OpRow& op : ops) {
    EXPECT_EQ(op.calls, 5'000);
    EXPECT_EQ(op.local->count, 500);
  }
  EXPECT_TRUE(queries::missing(queries::Report(path_)).empty());
}

TEST_F(RecorderTest, OneAfterAnotherInTheSamePlaceGetsItsOwnCalls) {
  std::optional<Recorder> recorder;
  for (std::int64_t calls = 1; calls <= 3; ++calls) {
    recorder.emplace(path_, run_, RunAttach{});
    recorder->open();
    name_sites(*recorder, 1);
    recorder->add_call(call_of(1, false));
    recorder->close({});
    EXPECT_EQ(calls_in_report(), calls);
  }
}

TEST_F(RecorderTest, WritesTheRangesOfACallWithoutErrors) {
  Recorder recorder(path_, run_, {});
  recorder.open();
  name_sites(recorder, 1);
  OpCall call = call_of(1, false);
  call.ranges = RangeStats{.count = 3};
  recorder.add_call(call);
  recorder.close({});
  const auto ops = queries::ops(queries::Report(path_));
  ASSERT_EQ(ops.size(), 1u);
  EXPECT_EQ(ops[0].ranges->count, 3);
}

TEST_F(RecorderTest, KeepsTheTotalsOfAReportThatIsFull) {
  {
    Recorder recorder(path_, run_, {}, Recorder::kInterval, /*max_bytes=*/1000);
    recorder.open();
    EXPECT_TRUE(recorder.is_full());
    name_sites(recorder, 1);
    for (int i = 0; i < 3; ++i) recorder.add_call(call_of(1, true));
    recorder.add_call(call_of(1, false));
    recorder.add([](Batch& batch) {
      batch.impacts.push_back({.segment = 1, .name = "w", .impact = 1.0});
      batch.gradient_impacts.resize(2);
      batch.gradient_errors.resize(1);
      batch.stale_casts.resize(7);
      batch.decisions.resize(6);
      batch.updates.resize(2);
      batch.checksums.resize(5);
      batch.collectives.resize(4);
      batch.collective_sketches.resize(2);
      batch.ranges.resize(3);
      batch.range_names.push_back({1, "r"});
      batch.losses.push_back({.segment = 1, .value = 2.0});
    });
    recorder.close({});
  }
  const queries::Report report(path_);
  ASSERT_EQ(queries::ops(report).size(), 1u);
  EXPECT_EQ(queries::ops(report)[0].calls, 4);
  EXPECT_EQ(queries::ops(report)[0].local->count, 3);
  EXPECT_EQ(queries::ops(report)[0].cpu_us, 4.0);
  EXPECT_EQ(queries::whole_steps(report, run_).size(), 1u);
  int calls = 0;
  queries::each_call(report, run_, [&](const queries::TimedCall&) { ++calls; });
  EXPECT_EQ(calls, 0);
  std::map<std::string, std::int64_t> missing;
  for (const queries::MissingRow& row : queries::missing(report)) missing[row.missing.what] = row.missing.count;
  EXPECT_EQ(missing, (std::map<std::string, std::int64_t>{{"loss impacts", 1},
                                                          {"op calls one by one", 4},
                                                          {"gradient impacts", 2},
                                                          {"errors of gradients", 1},
                                                          {"stale casts", 7},
                                                          {"decisions", 6},
                                                          {"weight updates", 2},
                                                          {"checksums of parameters", 5},
                                                          {"collectives", 4},
                                                          {"sketches of collectives", 2},
                                                          {"NVTX ranges", 3}}));
  store::Database database(path_, store::OpenMode::Write);
  for (const char* table :
       {"loss_impact", "stale_cast", "weight_update", "parameter_checksum", "collective", "collective_sketch",
        "gradient_impact", "gradient_error", "decision", "nvtx_range", "nvtx_range_name"}) {
    EXPECT_EQ(rows_of(database, table), 0) << table;
  }
  EXPECT_EQ(rows_of(database, "loss"), 1) << "what is left grows by steps";
}

TEST_F(RecorderTest, DropsTheOldestCallsForTheNewest) {
  constexpr std::int64_t kMost = 8'000'000, kSegments = 12;
  Recorder recorder(path_, run_, {}, std::chrono::milliseconds(1), kMost);
  recorder.open();
  std::int64_t calls = 0;
  for (std::int64_t segment = 1; segment <= kSegments; ++segment) {
    recorder.add([&](Batch& batch) {
      batch.segments.push_back({.id = segment, .step = segment});
      if (segment == 1) batch.call_sites.push_back({.id = 1, .module = "m", .op = "add", .ordinal = 0, .source = ""});
    });
    for (int i = 0; i < 100'000; ++i, ++calls) {
      OpCall call = call_of(1, false);
      call.segment = segment;
      call.start_ns = calls * 1'000'003;
      call.duration_ns = 1'000 + calls % 977;
      recorder.add_call(call);
    }
    while (calls_in_report() < calls)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));  // otherwise all calls are in one batch
  }
  recorder.close({});
  EXPECT_FALSE(recorder.is_full());
  EXPECT_LT(std::filesystem::file_size(path_), static_cast<std::uintmax_t>(kMost));
  EXPECT_EQ(calls_in_report(), calls);
  const queries::Report report(path_);
  std::map<std::int64_t, std::int64_t> in_segment;
  queries::each_call(report, run_, [&](const queries::TimedCall& call) { ++in_segment[call.step]; });
  EXPECT_EQ(in_segment.count(1), 0u);
  EXPECT_EQ(in_segment[kSegments], 100'000);
  const auto missing = queries::missing(report);
  ASSERT_EQ(missing.size(), 1u);
  EXPECT_EQ(missing[0].missing.what, "op calls one by one");
  std::int64_t one_by_one = 0;
  for (const auto& [segment, count] : in_segment) one_by_one += count;
  EXPECT_EQ(missing[0].missing.count, calls - one_by_one);
}

TEST_F(RecorderTest, DropsValuesBeforeCallsWhereTheDiskIsTooSlow) {
  const auto is_readable = static_cast<std::int64_t>(Recorder::kMostCallsWithValues) + 1'000;
  {
    Recorder recorder(path_, run_, {});
    name_sites(recorder, 1);
    for (std::int64_t i = 0; i < is_readable; ++i) recorder.add_call(call_of(1, true));
    recorder.open();  // nothing has been written yet
  }
  EXPECT_EQ(calls_in_report(), is_readable);
  const auto missing = queries::missing(queries::Report(path_));
  ASSERT_EQ(missing.size(), 1u);
  EXPECT_EQ(missing[0].missing.what, "values of op calls");
  EXPECT_EQ(missing[0].missing.count, 1'000);
  EXPECT_EQ(queries::ops(queries::Report(path_))[0].local->count, is_readable - 1'000);
}

}  // namespace recorder_test
}  // namespace ampprof::profiler
