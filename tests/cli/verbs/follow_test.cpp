// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <fstream>
#include <thread>

#include "reports/store/create.h"
#include "reports/store/writer.h"
#include "tests/cli/program.h"
#include "tests/cli/synthetic_report.h"

namespace ampprof::cli {
namespace follow_test {

class Follow : public BuiltProgram {
 protected:
  bool is_said(const std::string& text) const {
    constexpr std::chrono::seconds kLongest{60};
    for (const auto end = std::chrono::steady_clock::now() + kLongest; std::chrono::steady_clock::now() < end;) {
      if (test_support::bytes_of(folder_ / "out").find(text) != std::string::npos) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return false;
  }
};

TEST_F(Follow, PrintsAReportOnceWhoseRunsHaveEnded) {
  write_synthetic_report(work("digits.ampprof"));
  const Outcome still = ampprof("show digits.ampprof ops --limit 3");
  const Outcome followed = ampprof("show digits.ampprof ops --limit 3 --follow");
  EXPECT_EQ(followed.exit_code, 0) << followed.err;
  EXPECT_TRUE(followed.out.ends_with(still.out)) << followed.out;
  EXPECT_NE(followed.out.find("O1: 12 steps, ended"), std::string::npos) << followed.out;
}

TEST_F(Follow, PrintsUpdatesUntilTheRunEnds) {
  store::create_report(work("live.ampprof"), true);
  store::ReportWriter writer(work("live.ampprof"));
  RunStart start;
  start.program = "train.py";
  const std::int64_t run = writer.begin_run(start);
  writer.attach(run, {"cpu", "2.11.0", "{}", ""});
  Outcome watched;
  std::thread watching([&] { watched = ampprof("watch live.ampprof"); });
  EXPECT_TRUE(is_said("0 steps"));
  Batch batch;
  batch.segments.push_back({.id = 1, .step = 1, .end_ns = 4'000'000, .overhead_ns = 1'000'000, .updated = true});
  batch.losses.push_back({1, 0, 0.75});
  writer.append(run, batch);
  EXPECT_TRUE(is_said("loss 0.750, ampprof 25%"));
  writer.detach(run, {});
  writer.end_run(run, 0);
  watching.join();
  EXPECT_EQ(watched.exit_code, 0) << watched.err;
  EXPECT_NE(watched.out.find("1 step, ended"), std::string::npos) << watched.out;
}

TEST_F(Follow, WaitsForAReportUntilItIsInterrupted) {
  const Outcome outcome = shell("timeout --preserve-status --signal INT 1 '" AMPPROF_PROGRAM "' watch none.ampprof");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "ampprof: waiting for none.ampprof, which does not exist yet\n");
}

TEST_F(Follow, RefusesFilesThatAreNotReportsAndOtherFormats) {
  std::ofstream(work("bad.ampprof")) << "text";
  EXPECT_EQ(ampprof("watch bad.ampprof").exit_code, 4);
  const Outcome json = ampprof("show bad.ampprof --follow --format json");
  EXPECT_EQ(json.exit_code, 2);
  EXPECT_EQ(json.err, "ampprof: --follow prints tables only. Remove --format.\n");
}

}  // namespace follow_test
}  // namespace ampprof::cli
