// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/data/module_picture.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "gui/data/compared_side.h"
#include "gui/data/report_file.h"
#include "gui/data/site_measure.h"
#include "reports/queries/ops.h"
#include "reports/queries/runs.h"
#include "tests/cli/repeated_report.h"
#include "tests/cli/synthetic_report.h"
#include "tests/temporary_folder.h"

namespace ampprof::gui {
namespace module_picture_test {

queries::OpRow site(const char* module, const char* op, double us, std::optional<double> change = {}) {
  queries::OpRow row;
  row.call_site = row.module = module;
  row.op = op;
  row.call_site += row.module.empty() ? row.op : '/' + row.op;
  row.cpu_us = us;
  row.loss_impact_size = change;
  return row;
}

/// Returns call sites that keep their rows alive, like the call sites of a report.
PicturedSites sitesOf(std::vector<queries::OpRow> rows, double steps = 2) {
  const auto owner = std::make_shared<const std::vector<queries::OpRow>>(std::move(rows));
  PicturedSites sites{.owner = owner, .sites = {}};
  for (const queries::OpRow& row : *owner) sites.sites.push_back({.row = &row, .steps = steps});
  return sites;
}

TEST(ModulePicture, WeighsTimesOfAStep) {
  const PicturedSites sites = sitesOf({site("net.a", "mm", 8), site("net.b", "mm", 4), site("", "loss", 2)});
  const ModulePicture picture = modulePicture(sites, {}, kTimeMeasure);
  EXPECT_EQ(picture.tree.nodes.front().weight, 7) << "of two steps";
  EXPECT_EQ(picture.figures[picture.tree.moduleAt("net")].now[kTimeMeasure], 6);
  EXPECT_EQ(picture.figures[picture.tree.moduleAt("net")].sites, 2u);
  EXPECT_EQ(picture.tree.nodes[picture.tree.nodeOf(2)].parent, picture.tree.moduleAt("forward outside modules"));
  EXPECT_EQ(picture.tree.nodes[picture.tree.nodeOf(0)].name, "mm") << "its module stands around it";
}

TEST(ModulePicture, WeighsChangesOfTheLossBySquares) {
  const PicturedSites sites = sitesOf({site("net", "a", 1, 3.0), site("net", "b", 1, 4.0), site("net", "c", 1)});
  const ModulePicture picture = modulePicture(sites, {}, kLossMeasure);
  EXPECT_EQ(picture.tree.nodes.front().weight, 25);
  EXPECT_EQ(picture.figures[picture.tree.moduleAt("net")].now[kLossMeasure], 5) << "independent ones";
  EXPECT_EQ(picture.tree.nodes[picture.tree.nodeOf(2)].weight, 0) << "not measured";
}

TEST(ModulePicture, ShowsAnInfiniteErrorAsLargeAsTheLargestFiniteOne) {
  auto rows = std::vector{site("net", "a", 1), site("net", "b", 1)};
  rows[0].local = ErrorStats{.count = 1, .sum_sq_error = 4, .sum_sq_reference = 1, .sum_sq_output = 1};
  rows[1].local = ErrorStats{.count = 1, .infinite = 1};
  const PicturedSites sites = sitesOf(rows);
  const ModulePicture picture = modulePicture(sites, {}, kLocalErrorMeasure);
  EXPECT_EQ(picture.tree.nodes[picture.tree.nodeOf(0)].weight, 4);
  EXPECT_EQ(picture.tree.nodes[picture.tree.nodeOf(1)].weight, 4);
  EXPECT_TRUE(std::isinf(*picture.figures.front().now[kLocalErrorMeasure])) << "the largest of all";
  EXPECT_EQ(largestOf(picture, kLocalErrorMeasure), 2);
}

TEST(ModulePicture, TakesCallSitesOfAPhase) {
  auto rows = std::vector{site("net", "mm", 8), site("net", "mm_backward", 4)};
  rows[1].phase = Phase::Backward;
  const PicturedSites sites = sitesOf(rows);
  EXPECT_EQ(modulePicture(sites, Phase::Backward, kTimeMeasure).sites.size(), 1u);
  EXPECT_EQ(modulePicture(sites, {}, kTimeMeasure).sites.size(), 2u);
  EXPECT_EQ(modulePicture(sites, Phase::Optimizer, kTimeMeasure).tree.nodes.size(), 1u);
}

struct PicturesOfReports : testing::Test {
  std::shared_ptr<const ReportFile> written(void (*write)(const std::filesystem::path&)) {
    write(folder_ / "r.ampprof");
    return std::make_shared<const ReportFile>(folder_ / "r.ampprof");
  }

  test_support::TemporaryFolder folder_;
};

TEST_F(PicturesOfReports, HoldEachCallSiteOfARunOnce) {
  const auto file = written(cli::write_synthetic_report);
  const PicturedSites sites = picturedSites(*file, 2, {});
  EXPECT_EQ(sites.sites.size(), file->side("2").records.repeats.ops.size());
  EXPECT_FALSE(sites.is_compared);
  EXPECT_EQ(modulePicture(sites, {}, kTimeMeasure).figures.front().sites, sites.sites.size());
}

TEST_F(PicturesOfReports, CompareRunsWithoutRepeats) {
  const auto file = written(cli::write_synthetic_report);
  const PicturedSites sites = picturedSites(*file, 2, 1);
  EXPECT_TRUE(sites.is_compared);
  EXPECT_FALSE(sites.has_noise) << "one run on a side";
  const ModulePicture picture = modulePicture(sites, {}, kTimeMeasure);
  EXPECT_TRUE(picture.figures.front().before.has_value());
  EXPECT_TRUE(picture.figures.front().is_sure);
}

TEST_F(PicturesOfReports, TellAChangeFromNoiseByRepeats) {
  const auto file = written([](const auto& path) { cli::write_repeated_report(path, {}); });
  const auto o1 = std::ranges::find(file->runs(), "O1", &queries::RunRow::level);
  const PicturedSites sites = picturedSites(*file, o1->run, file->runs().front().run);
  EXPECT_TRUE(sites.has_noise);
  for (const PicturedSite& site : sites.sites) EXPECT_NE(site.before, nullptr) << site.row->call_site;
  EXPECT_TRUE(modulePicture(sites, {}, kTimeMeasure).figures.front().is_sure) << "half the time, four times";
  const PicturedSites same = picturedSites(*file, o1->run + 1, o1->run);
  EXPECT_FALSE(same.has_noise) << "of one level, two runs";
}

TEST_F(PicturesOfReports, AreNotSureOfAChangeThatMayBeNoise) {
  const auto file = written([](const auto& path) { cli::write_repeated_report(path, {.repeats = 2}); });
  const auto o1 = std::ranges::find(file->runs(), "O1", &queries::RunRow::level);
  const PicturedSites sites = picturedSites(*file, o1->run, file->runs().front().run);
  EXPECT_TRUE(sites.has_noise);
  EXPECT_FALSE(modulePicture(sites, {}, kTimeMeasure).figures.front().is_sure) << "no test of two can tell";
}

}  // namespace module_picture_test
}  // namespace ampprof::gui
