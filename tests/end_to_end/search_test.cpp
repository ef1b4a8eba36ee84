// SPDX-License-Identifier: Apache-2.0
// Tests that `ampprof search` returns the functions that spoil a model, also if the search is killed and resumed.
// AMPPROF_PLANTS=all tries every planted failure, AMPPROF_KILLS=20 kills more often.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "reports/queries/report.h"
#include "reports/queries/trials.h"
#include "tests/end_to_end/command.h"
#include "tests/repetitions.h"

namespace ampprof::testing {
namespace search_test {

using Json = nlohmann::json;

std::string search_of(const std::string& options, const std::string& program_line) {
  return ampprof() + " search --format json " + options + " -- " + program_line;
}

Json found(const CommandResult& result) {
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const Json json = Json::parse(result.out, nullptr, /*allow_exceptions=*/false);
  EXPECT_TRUE(json.is_object()) << result.out;
  return json;
}

Json only(const char* line) { return Json::array({line}); }

using Lines = std::set<std::string>;

/// A model in programs/planted.cpp.
struct Plant {
  const char* name;
  int steps;
  std::string options;
  std::vector<Lines> cures;  ///< sets of functions that the search may return
  bool is_quick = false;
};

void PrintTo(const Plant& plant, std::ostream* out) { *out << plant.name; }

bool tries_all() { return std::getenv("AMPPROF_PLANTS") != nullptr; }

std::vector<Plant> plants() {
  const std::string tenth = "--tolerance 10%";
  std::vector<Plant> plants{
      {"softmax", 60, tenth, {{"exp2 fp32"}}},
      {"norm", 100, tenth, {{"mul fp32"}, {"mean fp32"}, {"sub fp32"}}},
      {"exp", 30, tenth, {{"exp fp32"}}},
      {"long_sum", 100, tenth, {{"matmul fp32"}}},
      {"underflow", 100, tenth + " --metric '^([0-9.e-]+)'", {{"mul fp32"}}},
      {"chain", 60, tenth, {{"exp2 fp32", "matmul fp32"}}, true},
      {"blocks", 60, tenth, {{"addmm fp32 in blocks.5"}}, true},
      {"quotient", 150, tenth, {{"div fp32"}}, test_support::runs_repetitions()},
      {"late", 240, tenth, {{"addmm fp32 in stem"}}},
      {"fine", 60, "", {{}}},
      {"either", 100, tenth, {{"mul fp32"}, {"addmm fp32 in first"}}},
  };
  if (!tries_all()) std::erase_if(plants, [](const Plant& plant) { return !plant.is_quick; });
  return plants;
}

Lines lines_of(const Json& policy) { return policy.get<Lines>(); }

/// Returns the verdict of a search on a set, or "" if the search has not tried the set.
std::string verdict_of(const Json& json, const Lines& set) {
  for (const Json& evaluation : json.at("evaluations")) {
    if (lines_of(evaluation.at("policy")) == set) return evaluation.at("verdict");
  }
  return "";
}

/// Expects that the set passes, and that the search tried and rejected each set that lacks one member.
void expect_one_minimal(const Json& json) {
  const Lines set = lines_of(json.at("policy"));
  EXPECT_TRUE(json.at("minimal").get<bool>());
  EXPECT_EQ(verdict_of(json, set), "pass");
  for (const std::string& member : set) {
    Lines rest = set;
    rest.erase(member);
    EXPECT_EQ(verdict_of(json, rest), "fail") << "without " << member;
  }
}

void expect_few_evaluations(const Json& json) {
  const auto k = static_cast<double>(json.at("policy").size());
  const auto n = json.at("candidates").get<double>();
  EXPECT_LE(static_cast<double>(json.at("evaluations").size()), 4 + 3 * k * std::log2(n));
}

void expect_cured(const Json& json, const std::vector<Lines>& cures) {
  EXPECT_NE(std::ranges::find(cures, lines_of(json.at("policy"))), cures.end()) << json.dump(2);
  expect_one_minimal(json);
  expect_few_evaluations(json);
}

class PlantedSearch : public ::testing::TestWithParam<Plant> {};

TEST_P(PlantedSearch, FindsAOneMinimalCureInFewEvaluations) {
  const TemporaryFolder folder;
  const auto& [name, steps, options, cures, is_quick] = GetParam();
  const std::string line = program("planted") + " " + name + " " + std::to_string(steps);
  expect_cured(found(run_command(search_of(options, line), folder.path())), cures);
}

INSTANTIATE_TEST_SUITE_P(Models, PlantedSearch, ::testing::ValuesIn(plants()),
                         [](const auto& info) { return info.param.name; });

TEST(Search, OfANoisyMetricIsWrongForOneOfTenSeedsAtMost) {
  if (!tries_all()) GTEST_SKIP() << "it takes minutes: AMPPROF_PLANTS=all";
  int wrong = 0;
  for (int seed = 0; seed < 10; ++seed) {
    const TemporaryFolder folder;
    const std::string options =
        "--parallel 2 --tolerance 15% --metric '^([0-9.e-]+)' --seed " + std::to_string(1000 * seed);
    const Json json = found(run_command(search_of(options, program("planted") + " noisy 100"), folder.path()));
    EXPECT_EQ(json.at("error_probability"), 0.01);
    expect_few_evaluations(json);
    if (json.at("policy") != only("matmul fp32")) ++wrong;
    if (json.at("policy") == only("matmul fp32")) expect_one_minimal(json);
  }
  EXPECT_LE(wrong, 1);
}

/// Searches one model in FP16, once for all tests of this suite.
class SearchOfExp : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TemporaryFolder;
    in_fp16_ = new CommandResult(
        run_command(search_of("--tolerance 10% --output-policy fp16.amp", planted()), folder_->path()));
  }
  static void TearDownTestSuite() {
    delete std::exchange(in_fp16_, nullptr);
    delete std::exchange(folder_, nullptr);
  }

  static std::string planted() { return program("planted") + " exp 30"; }
  static std::filesystem::path folder() { return folder_->path(); }
  static const CommandResult& in_fp16() { return *in_fp16_; }

 private:
  static inline TemporaryFolder* folder_ = nullptr;
  static inline CommandResult* in_fp16_ = nullptr;
};

TEST_F(SearchOfExp, WritesAPolicyThatARunTakes) {
  EXPECT_EQ(found(in_fp16()).at("error_probability"), 0.0) << "the program chooses its own seed";
  const auto saved = run_command("AMP_OPT_LEVEL=O1 AMP_POLICY=fp16.amp " + planted(), folder());
  EXPECT_TRUE(std::isfinite(std::stod(saved.out))) << bytes_of(folder() / "fp16.amp");
}

TEST(Search, GoesByWhatTheProgramPrints) {
  const TemporaryFolder folder;
  const Json json = found(run_command(
      search_of("--metric '^([0-9.e-]+)' --tolerance 10% --parallel 2 -o r.ampprof", program("planted") + " exp 30"),
      folder.path()));
  EXPECT_EQ(json.at("policy"), only("exp fp32")) << json.dump(2);
  for (const auto& trial : queries::trials(queries::Report(folder.path() / "r.ampprof"))) {
    EXPECT_EQ(trial.trial.metric, "^([0-9.e-]+)");
    EXPECT_EQ(trial.level, "O1");
  }
}

TEST_F(SearchOfExp, InBFloat16HasRunsOfItsOwn) {
  const auto trials = [] { return queries::trials(queries::Report(folder() / "search.ampprof")); };
  const std::size_t before = trials().size();
  ASSERT_GT(before, 0u);
  const Json json =
      found(run_command(search_of("--tolerance 10% --type bf16 --output-policy bf16.amp", planted()), folder()));
  EXPECT_EQ(json.at("policy"), Json::array()) << "its range is that of FP32";
  const auto after = trials();
  ASSERT_GT(after.size(), before);
  for (std::size_t i = before; i < after.size(); ++i) EXPECT_TRUE(after[i].trial.policy.starts_with("low_type bf16\n"));
  EXPECT_EQ(bytes_of(folder() / "bf16.amp"), "low_type bf16\n");
}

TEST(Search, StopsRunsThatAreClearlyPastTheTolerance) {
  if (!tries_all()) GTEST_SKIP() << "losses reach the report once a second, so runs must be long: AMPPROF_PLANTS=all";
  const TemporaryFolder folder;
  const std::string line = search_of("--tolerance 10%", program("planted") + " norm 4000");
  const Json json = found(run_command(line, folder.path()));
  int stopped = 0;
  for (const Json& evaluation : json.at("evaluations")) stopped += evaluation.at("stopped_runs").get<int>();
  EXPECT_GT(stopped, 0) << json.dump(2);
}

TEST(Search, KeepsSingleMatmulsFromARecipe) {
  const TemporaryFolder folder;
  const std::string planted = program("planted") + " outlier 100";
  const Json json =
      found(run_command(search_of("--recipe nvfp4 --tolerance 20% --output-policy p.amp", planted), folder.path()));
  expect_cured(json, {{"stem fprop bf16"}});
  EXPECT_EQ(bytes_of(folder.path() / "p.amp"), "recipe nvfp4\nstem fprop bf16\n");
  const auto loss_in = [&](const std::string& policy) {
    return std::stod(run_command("AMP_OPT_LEVEL=O0 AMP_POLICY=" + policy + " " + planted, folder.path()).out);
  };
  std::ofstream(folder.path() / "all.amp") << "recipe nvfp4\n";
  EXPECT_GT(loss_in("all.amp"), 1.2 * loss_in("p.amp"));
}

TEST(Search, SaysThatNothingIsNeeded) {
  const TemporaryFolder folder;
  const Json json = found(run_command(search_of("", program("plain_train") + " 12"), folder.path()));
  EXPECT_EQ(json.at("policy"), Json::array()) << json.dump(2);
  EXPECT_GT(json.at("candidates"), 1) << "casts were injected";
}

/// Runs a line and kills it after a while, sometimes together with the program that it started. Returns whether the
/// line had already ended.
bool has_ended_within(double seconds, bool kills_program, const std::string& line, const TemporaryFolder& folder) {
  const std::string kill = kills_program ? "child=$(pgrep -P $cli); kill -9 $cli $child" : "kill -9 $cli";
  return run_command(
             line + " > out & cli=$!; sleep " + std::to_string(seconds) + "; " + kill + " 2> /dev/null; wait $cli",
             folder.path())
             .exit_code == 0;
}

TEST(Search, ThatIsKilledGoesOnWhereItWas) {
  const char* asked = std::getenv("AMPPROF_KILLS");
  const int kills = asked != nullptr ? std::atoi(asked) : test_support::runs_repetitions() ? 4 : 3;
  std::mt19937 random(1);
  std::uniform_real_distribution<double> moment(0.05, 2.0);
  const std::string line = search_of("--tolerance 10%", program("planted") + " softmax 60");
  const auto expect_same = [](const Json& json) { EXPECT_EQ(json.at("policy"), only("exp2 fp32")) << json.dump(2); };
  std::optional<TemporaryFolder> folder(std::in_place);
  for (int kill = 0; kill < kills; ++kill) {
    if (!has_ended_within(moment(random), kill % 2 == 0, line, *folder)) continue;
    expect_same(Json::parse(bytes_of(folder->path() / "out")));
    folder.emplace();
  }
  const auto trials = [&] { return queries::trials(queries::Report(folder->path() / "search.ampprof")).size(); };
  const Json json = found(run_command(line, folder->path()));
  expect_same(json);
  const auto runs = trials();
  std::size_t needed = 0;
  for (const Json& evaluation : json.at("evaluations")) needed += evaluation.at("runs").get<std::size_t>();
  EXPECT_EQ(runs, needed) << "what had ended is not run again";
  const Json again = found(run_command(line, folder->path()));
  EXPECT_EQ(again.at("policy"), json.at("policy"));
  EXPECT_EQ(trials(), runs) << "nothing is left to run";
}

TEST(Search, ThatIsOutOfTimeSaysSo) {
  const TemporaryFolder folder;
  const auto result = run_command(search_of("--budget 0.5s", program("planted") + " softmax 100000"), folder.path());
  EXPECT_EQ(result.exit_code, 1) << "no set has passed";
  EXPECT_FALSE(Json::parse(result.out).at("finished").get<bool>());
}

TEST(Search, OfAProgramThatFailsShowsWhatItPrinted) {
  const TemporaryFolder folder;
  const auto result = run_command(search_of("", program("planted") + " nothing_of_this_name"), folder.path());
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_NE(result.err.find("|softmax|"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("failed with exit code 1"), std::string::npos) << result.err;
  EXPECT_EQ(result.out, "");
}

}  // namespace search_test
}  // namespace ampprof::testing
