// SPDX-License-Identifier: Apache-2.0
// Plants an inf in one rank's gradient, in fifty random steps. All ranks must skip the step, and the report must name
// rank, op and parameter.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "analysis/ranks/ranks.h"
#include "tests/end_to_end/command.h"

namespace ampprof::testing {
namespace rank_plants_test {

struct Plant {
  std::int64_t step = 0;
  std::int64_t rank = 0;
  std::string parameter;
  std::string op;

  /// Returns the name that reports give to the plant's call site.
  std::string call_site() const { return "backward " + parameter.substr(0, parameter.rfind('.')) + '/' + op; }
};

/// Removes the number of a call site. A module's weight and bias have separate hooks, whose ops have numbered call
/// sites.
std::string unnumbered(const std::string& call_site) { return call_site.substr(0, call_site.find('#')); }

std::vector<Plant> plants_in(const std::string& output) {
  std::vector<Plant> plants;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string what;
    Plant plant;
    if (words >> what && what == "planted") {
      words >> plant.step >> plant.rank >> plant.parameter >> plant.op;
      plants.push_back(plant);
    }
  }
  return plants;
}

std::vector<std::int64_t> steps_skipped_in(const std::string& output) {
  std::vector<std::int64_t> steps;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string what;
    std::int64_t step = 0;
    if (words >> what >> step && what == "skipped") steps.push_back(step);
  }
  return steps;
}

std::vector<std::int64_t> steps_skipped_in(const queries::RankRecord& record) {
  std::vector<std::int64_t> steps;
  for (const queries::RankStep& step : record.steps) {
    if (step.skipped) steps.push_back(step.step);
  }
  return steps;
}

class RankPlants : public ::testing::TestWithParam<const char*> {
 protected:
  static constexpr std::size_t kPlants = 50;

  void SetUp() override {
    const std::string recorded = ampprof() + " run --force -o r%r.ampprof -- " + program("rank_plants") + ' ' +
                                 GetParam() + " 11 " + std::to_string(kPlants);
    const auto result = run_command(script("on_ranks.sh") + " 2 " + recorded, folder_.path());
    ASSERT_EQ(result.exit_code, 0) << file("err.0") << file("err.1");
    const auto merged = run_command(ampprof() + " merge --force -o all.ampprof r0.ampprof r1.ampprof", folder_.path());
    ASSERT_EQ(merged.exit_code, 0) << merged.err;
    plants_ = plants_in(file("out.0"));
    ASSERT_EQ(plants_.size(), kPlants);
  }

  analysis::RankedLaunch launch() const {
    const queries::Report report(folder_.path() / "all.ampprof");
    auto launches = analysis::ranked_launches(report, queries::runs(report));
    EXPECT_EQ(launches.size(), 1u);
    return launches.empty() ? analysis::RankedLaunch{} : std::move(launches.front());
  }
  nlohmann::json ranks_in_json() const {
    return nlohmann::json::parse(run_command(ampprof() + " show all.ampprof ranks --format json", folder_.path()).out);
  }
  std::string file(const std::string& name) const { return bytes_of(folder_.path() / name); }
  const std::vector<Plant>& plants() const { return plants_; }

 private:
  TemporaryFolder folder_;
  std::vector<Plant> plants_;
};

TEST_P(RankPlants, AreSkippedByAllAndFoundWhereTheyBegan) {
  std::vector<std::int64_t> planted;
  for (const Plant& plant : plants()) planted.push_back(plant.step);
  const analysis::RankedLaunch found = launch();
  ASSERT_EQ(found.ranks.size(), 2u);
  for (std::size_t rank = 0; rank < 2; ++rank) {
    EXPECT_EQ(steps_skipped_in(file("out." + std::to_string(rank))), planted);
    EXPECT_EQ(steps_skipped_in(found.ranks[rank].record), planted);
    EXPECT_FALSE(found.ranks[rank].divergence);
  }
  ASSERT_EQ(found.overflows.size(), kPlants);
  for (std::size_t i = 0; i < kPlants; ++i) {
    const Plant& plant = plants()[i];
    const analysis::Overflow& overflow = found.overflows[i];
    SCOPED_TRACE("step " + std::to_string(plant.step) + ", rank " + std::to_string(plant.rank));
    EXPECT_EQ(overflow.step, plant.step);
    EXPECT_EQ(overflow.received, std::vector<std::int64_t>{1 - plant.rank});
    EXPECT_TRUE(overflow.unknown.empty());
    ASSERT_EQ(overflow.origins.size(), 1u);
    EXPECT_EQ(overflow.origins[0].rank, plant.rank);
    EXPECT_EQ(unnumbered(overflow.origins[0].event.first_op), plant.call_site());
    EXPECT_EQ(overflow.origins[0].event.parameter, plant.parameter);
  }

  const Plant& first = plants().front();
  const nlohmann::json shown = ranks_in_json();
  ASSERT_EQ(shown.size(), 2u);
  for (const nlohmann::json& rank : shown) {
    const bool began_there = rank.at("rank") == first.rank;
    EXPECT_EQ(rank.at("first_nonfinite_step"), first.step);
    EXPECT_EQ(rank.at("first_nonfinite_received"), !began_there);
    EXPECT_EQ(rank.at("first_nonfinite_parameter"), first.parameter);
    if (began_there) {
      EXPECT_EQ(unnumbered(rank.at("first_nonfinite_op")), first.call_site());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Levels, RankPlants, ::testing::Values("O1", "O2"));

}  // namespace rank_plants_test
}  // namespace ampprof::testing
