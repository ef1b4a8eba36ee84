// SPDX-License-Identifier: Apache-2.0
#include "profiler/recorder/recorder.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <map>
#include <string>
#include <thread>

#include "reports/queries/queries.h"
#include "reports/store/sqlite.h"
#include "reports/store/writer.h"
#include "tests/reports/sample_report.h"

namespace ampprof::profiler {
namespace recorder_test {

using testing_reports::start_of;
using testing_reports::TemporaryFolder;

OpCall call_of(std::int64_t site, bool with_values) {
  OpCall call;
  call.substep = 1;
  call.call_site = site;
  call.signature = 1;
  call.duration_ns = 1'000;
  if (with_values) call.local = ErrorStats{.count = 1};
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
      batch.substeps.push_back({.id = 1, .step = 1});
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

  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_.path() / "r.ampprof";
  std::int64_t run_ = 0;
};

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
  for (int i = 0; i < 100; ++i) recorder.write_soon();  // the last write was just now
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

TEST_F(RecorderTest, KeepsTheTotalsOfAReportThatIsFull) {
  {
    Recorder recorder(path_, run_, {}, Recorder::kInterval, /*max_bytes=*/1000);
    recorder.open();
    EXPECT_TRUE(recorder.is_full());
    name_sites(recorder, 1);
    for (int i = 0; i < 3; ++i) recorder.add_call(call_of(1, true));
    recorder.add_call(call_of(1, false));
    recorder.add([](Batch& batch) { batch.impacts.push_back({.substep = 1, .name = "w", .impact = 1.0}); });
    recorder.close({});
  }
  const queries::Report report(path_);
  ASSERT_EQ(queries::ops(report).size(), 1u);
  EXPECT_EQ(queries::ops(report)[0].calls, 4);
  EXPECT_EQ(queries::ops(report)[0].local->count, 3);
  EXPECT_EQ(queries::ops(report)[0].cpu_us, 4.0);
  EXPECT_EQ(queries::runs(report)[0].steps, 1);
  int calls = 0;
  queries::each_call(report, run_, [&](const queries::TimedCall&) { ++calls; });
  EXPECT_EQ(calls, 0);
  std::map<std::string, std::int64_t> missing;
  for (const queries::MissingRow& row : queries::missing(report)) missing[row.missing.what] = row.missing.count;
  EXPECT_EQ(missing, (std::map<std::string, std::int64_t>{{"loss impacts", 1}, {"op calls one by one", 4}}));
}

TEST_F(RecorderTest, GoesOnWithTotalsWhereItWasFilled) {
  const std::int64_t empty = static_cast<std::int64_t>(std::filesystem::file_size(path_));
  Recorder recorder(path_, run_, {}, std::chrono::milliseconds(1), empty + 20'000'000);
  recorder.open();
  ASSERT_FALSE(recorder.is_full());
  std::int64_t calls = 0;
  for (std::int64_t substep = 1; calls < 4'000'000 && !(recorder.is_full() && calls % 1'000'000 == 0); ++substep) {
    recorder.add([&](Batch& batch) {
      batch.substeps.push_back({.id = substep, .step = substep});
      if (substep == 1) batch.call_sites.push_back({.id = 1, .module = "m", .op = "add", .ordinal = 0, .source = ""});
    });
    for (int i = 0; i < 100'000; ++i, ++calls) {
      OpCall call = call_of(1, false);
      call.substep = substep;
      call.start_ns = calls * 1'000'003;
      call.duration_ns = 1'000 + calls % 977;
      recorder.add_call(call);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  EXPECT_TRUE(recorder.is_full());
  recorder.close({});
  EXPECT_EQ(calls_in_report(), calls) << "some of them are in chunks, some in totals only";
  std::int64_t one_by_one = 0;
  queries::each_call(queries::Report(path_), run_, [&](const queries::TimedCall&) { ++one_by_one; });
  EXPECT_GT(one_by_one, 0);
  EXPECT_LT(one_by_one, calls);
}

TEST_F(RecorderTest, DropsValuesBeforeCallsWhereTheDiskIsTooSlow) {
  const auto with_values = static_cast<std::int64_t>(Recorder::kMostCallsWithValues) + 1'000;
  {
    Recorder recorder(path_, run_, {});
    recorder.open();
    name_sites(recorder, 1);
    store::Database other(path_, store::OpenMode::Write);
    const store::Transaction nobody_else_writes(other);
    for (std::int64_t i = 0; i < with_values; ++i) recorder.add_call(call_of(1, true));
  }
  EXPECT_EQ(calls_in_report(), with_values);
  const auto missing = queries::missing(queries::Report(path_));
  ASSERT_EQ(missing.size(), 1u);
  EXPECT_EQ(missing[0].missing.what, "values of op calls");
  EXPECT_GT(missing[0].missing.count, 0);
  EXPECT_LE(missing[0].missing.count, 1'000);
  EXPECT_EQ(queries::ops(queries::Report(path_))[0].local->count, with_values - missing[0].missing.count);
}

}  // namespace recorder_test
}  // namespace ampprof::profiler
