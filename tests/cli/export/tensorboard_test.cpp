// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "cli/export/formats.h"
#include "reports/store/report_error.h"
#include "tests/cli/export/hostile_report.h"
#include "tests/cli/export/read_events.h"
#include "tests/cli/synthetic_report.h"
#include "tests/views/all_runs.h"

namespace ampprof::cli {
namespace tensorboard_test {

namespace fs = std::filesystem;

constexpr double kStart = 1767323045;  // 2026-01-02T03:04:05Z

class Tensorboard : public testing::Test {
 protected:
  void write(bool replace = false) {
    views::AllRuns opened(folder_ / "r");
    write_tensorboard_folder({opened.source(), "r"}, folder_ / "logs", replace);
  }

  void write_report(const std::vector<Batch>& runs) {
    store::create_report(folder_ / "r", true);
    store::ReportWriter writer(folder_ / "r");
    RunStart start = testing_reports::start_of("O1");
    start.program = "python train.py";
    for (const Batch& batch : runs) writer.append(writer.begin_run(start), batch);
    writer.fold();
  }

  std::vector<ReadEvent> events(const std::string& run) const {
    return parse_events(testing_reports::bytes_of(folder_ / "logs" / run / "events.out.tfevents.1767323045.ampprof"));
  }

  std::vector<ReadEvent> events(const std::string& run, const std::string& tag) const {
    std::vector<ReadEvent> of_tag = events(run);
    std::erase_if(of_tag, [&](const ReadEvent& event) { return event.tag != tag; });
    return of_tag;
  }

  std::vector<double> scalars(const std::string& run, const std::string& tag) const {
    std::vector<double> values;
    for (const ReadEvent& event : events(run, tag)) values.push_back(event.scalar.value());
    return values;
  }

  std::vector<std::string> folders() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_ / "logs")) names.push_back(entry.path().filename());
    std::ranges::sort(names);
    return names;
  }

  testing_reports::TemporaryFolder folder_;
};

TEST_F(Tensorboard, HasAFolderForEachRun) {
  write_synthetic_report(folder_ / "r");
  write();
  EXPECT_EQ(folders(), (std::vector<std::string>{"O0", "O1", "O3"}));
  for (const std::string& run : folders()) EXPECT_EQ(events(run).at(0).file_version, "brain.Event:2");
}

TEST_F(Tensorboard, HasTheFiguresOfEachStep) {
  write_synthetic_report(folder_ / "r");
  write();
  const auto losses = events("O1", "loss");
  ASSERT_EQ(losses.size(), 12u);
  EXPECT_EQ(losses[1].step, 2);
  EXPECT_EQ(losses[1].scalar, 1.125F + 0x1p-12F);
  EXPECT_DOUBLE_EQ(losses[1].wall_seconds, kStart + 0.08) << "where the step begins";
  EXPECT_EQ(scalars("O1", "step_ms"), std::vector<double>(12, 32));
  EXPECT_EQ(scalars("O1", "own_step_ms"), std::vector<double>(12, 8));
  std::vector<double> scales(12, 32768);
  std::fill_n(scales.begin(), 3, 65536);
  EXPECT_EQ(scalars("O1", "loss_scale"), scales) << "the overflow in step 3 is one at 65536";
  std::vector<double> so_far(12, 1);
  std::fill_n(so_far.begin(), 2, 0);
  EXPECT_EQ(scalars("O1", "overflows"), so_far);
  EXPECT_EQ(scalars("O1", "skipped_steps"), so_far);
}

TEST_F(Tensorboard, LeavesOutWhatARunLacks) {
  write_synthetic_report(folder_ / "r");
  write();
  for (const char* tag : {"loss_scale", "overflows", "skipped_steps", "loss_change"}) {
    EXPECT_TRUE(scalars("O0", tag).empty()) << tag;
  }
}

TEST_F(Tensorboard, KeepsALossThatIsNotANumber) {
  write_synthetic_report(folder_ / "r");
  write();
  EXPECT_EQ(scalars("O3", "loss").at(0), 2.25);
  EXPECT_TRUE(std::isnan(scalars("O3", "loss").at(1)));
}

TEST_F(Tensorboard, TellsLossesApartAndAveragesMicroBatches) {
  Batch batch;
  batch.segments = {testing_reports::segment(1, 1, 10, 12), testing_reports::segment(2, 1, 12, 14)};
  batch.losses = {{1, 0, 2.0}, {2, 0, 4.0}, {1, 7, 0.5}};
  batch.scale_updates = {{1, 0, 8, 8}, {1, 7, 4, 2, true, true}};
  write_report({batch});
  write();
  EXPECT_EQ(scalars("O1", "loss/0"), std::vector<double>{3});
  EXPECT_EQ(scalars("O1", "loss/7"), std::vector<double>{0.5});
  EXPECT_EQ(scalars("O1", "loss_scale/0"), std::vector<double>{8});
  EXPECT_EQ(scalars("O1", "loss_scale/7"), std::vector<double>{4});
  EXPECT_TRUE(scalars("O1", "loss").empty());
}

TEST_F(Tensorboard, HasExponentsOfCallSites) {
  write_synthetic_report(folder_ / "r");
  write();
  const auto found = events("O1", "exponents/backward features.conv1/convolution_backward");
  ASSERT_EQ(found.size(), 1u);
  const ReadEvent& histogram = found.front();
  EXPECT_EQ(histogram.step, 12) << "of the run as far as its last step";
  // Each of 12 calls has 10 values in [2^-31, 2^-30) and 90 in [4, 8). The first 3 calls are at twice the last loss
  // scale, so their values are halved.
  EXPECT_EQ(histogram.figures.at(1), -32);
  EXPECT_EQ(histogram.figures.at(2), 3);
  EXPECT_EQ(histogram.figures.at(3), 1200);
  EXPECT_EQ(histogram.limits.size(), 35u);
  EXPECT_EQ(histogram.counts.front(), 30);
  EXPECT_EQ(histogram.counts.back(), 810);
}

TEST_F(Tensorboard, HasSettingsAndFindingsAsTexts) {
  Batch batch = testing_reports::two_steps();
  batch.updates = {{.segment = 1, .call_site = 1, .parameter = "fc.weight", .lost = 0}};
  batch.missing = {{kUndividedGradients, 2, "A *loss* <b> is multiplied before its backward", ""}};
  write_report({batch});
  write();
  EXPECT_NE(events("O1", "run").at(0).text.find("- program: python train.py\n"), std::string::npos);
  const auto found = events("O1", "findings/gradients_stay_scaled");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].plugin, "text");
  EXPECT_EQ(found[0].step, 2);
  const std::string& text = found[0].text;
  EXPECT_TRUE(text.starts_with("**gradients stay scaled** (likely)\n\nT \\*loss\\* &lt;b> is multiplied, ")) << text;
  EXPECT_TRUE(
      text.ends_with("\nDo: Call scaler.step(optimizer) instead of optimizer.step(), and scaler.update() after it.\n\n "
                     "   scaler.step(optimizer)\n    scaler.update()\n"))
      << text;
}

TEST_F(Tensorboard, TellsRunsOfOneLevelApart) {
  write_report({testing_reports::two_steps(), testing_reports::two_steps()});
  write();
  EXPECT_EQ(folders(), (std::vector<std::string>{"O1", "O1_2"}));
}

TEST_F(Tensorboard, KeepsHostileNamesInTheirPlaces) {
  for (const std::string text : {"../../x/\n\x1b[31m<img src=x>", "..", "*_`[a](b)", "\xFF"}) {
    write_report_with(text, folder_ / "r");
    write(true);
    EXPECT_EQ(folders(), std::vector<std::string>{"O1"}) << text;
    for (const ReadEvent& event : events("O1")) {
      EXPECT_EQ(event.tag.find_first_of("\n\x1b\xFF"), std::string::npos) << event.tag;
      EXPECT_EQ(event.text.find("<img"), std::string::npos) << event.text;
    }
  }
}

TEST_F(Tensorboard, MakesAFolderNameOfAnyLevel) {
  store::create_report(folder_ / "r", true);
  store::ReportWriter writer(folder_ / "r");
  const std::string longest(200, 'x');
  for (const std::string& level :
       {std::string("../up"), std::string("a/b"), std::string("a b"), std::string("."), longest}) {
    writer.begin_run(testing_reports::start_of(level));
  }
  writer.fold();
  write();
  EXPECT_EQ(folders(), (std::vector<std::string>{"a_b", "a_b_run_3", "run_.", "run_.._up", longest.substr(0, 100)}));
}

TEST_F(Tensorboard, ContinuesWhileARunContinues) {
  store::create_report(folder_ / "r", true);
  store::ReportWriter writer(folder_ / "r");
  RunStart start = testing_reports::start_of("O1");
  start.program = "python train.py";
  const std::int64_t run = writer.begin_run(start);
  TensorboardLog log(folder_ / "logs", /*replace=*/false);
  const auto add_steps = [&](std::int64_t first, std::int64_t last) {
    Batch batch;
    for (std::int64_t step = first; step <= last; ++step) {
      batch.segments.push_back(testing_reports::segment(step, step, 10 * step, 10 * step + 2));
      batch.losses.push_back({step, 0, static_cast<double>(step)});
    }
    writer.append(run, batch);
    views::AllRuns opened(folder_ / "r");
    log.add({opened.source(), "r"}, /*is_growing=*/true);
  };
  add_steps(1, 3);
  EXPECT_EQ(scalars("O1", "loss"), (std::vector<double>{1, 2})) << "the third step may go on";
  add_steps(4, 6);
  EXPECT_EQ(scalars("O1", "loss"), (std::vector<double>{1, 2, 3, 4, 5}));
  writer.end_run(run, 0);
  add_steps(7, 7);
  EXPECT_EQ(scalars("O1", "loss"), (std::vector<double>{1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(events("O1", "run").size(), 1u);
}

TEST_F(Tensorboard, ReplacesNothingUnlessAsked) {
  write_synthetic_report(folder_ / "r");
  write();
  const std::string before = testing_reports::bytes_of(folder_ / "logs/O1/events.out.tfevents.1767323045.ampprof");
  fs::remove_all(folder_ / "logs/O0");
  EXPECT_THROW(write(), store::WriteError);
  EXPECT_FALSE(fs::exists(folder_ / "logs/O0")) << "nothing is written";
  write(true);
  EXPECT_EQ(folders().size(), 3u);
  EXPECT_EQ(testing_reports::bytes_of(folder_ / "logs/O1/events.out.tfevents.1767323045.ampprof"), before);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_ / "logs/O1"), {}), 1) << "a temporary file is left";
}

}  // namespace tensorboard_test
}  // namespace ampprof::cli
