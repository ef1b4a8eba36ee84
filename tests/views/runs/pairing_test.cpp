// SPDX-License-Identifier: Apache-2.0
#include "analysis/compare/pairing.h"

#include <gtest/gtest.h>

#include "reports/text/usage_error.h"
#include "views/runs/run_choice.h"

namespace ampprof::views {
namespace pairing_test {

using Names = std::vector<std::string>;

/// Returns one run for each of `levels`. "O1!" is a run at O1 without torch.compile.
std::vector<queries::RunRow> runs(const Names& levels) {
  std::vector<queries::RunRow> runs;
  for (const std::string& level : levels) {
    queries::RunRow& run = runs.emplace_back();
    run.run = static_cast<std::int64_t>(runs.size());
    run.level = level.substr(0, level.find('!'));
    if (level.ends_with('!')) run.settings_json = R"({"compile_disabled": true})";
  }
  return runs;
}

// Lists the runs of side A and of side B of each pairing: "1 | 2 3; 2 | 4".
std::string text_of(const std::vector<analysis::Pairing>& pairings) {
  std::string text;
  for (const analysis::Pairing& pairing : pairings) {
    text += text.empty() ? "" : "; ";
    for (const queries::RunRow& run : pairing.a) text += std::to_string(run.run) + ' ';
    text += '|';
    for (const queries::RunRow& run : pairing.b) text += ' ' + std::to_string(run.run);
  }
  return text;
}

struct Choice {
  const char* name;
  Names a;
  std::optional<Names> b;  ///< levels of a second report, if there is one
  Names wanted;
  const char* pairs;  ///< expected text_of() the pairings, or a part of the error
};

void PrintTo(const Choice& choice, std::ostream* out) { *out << choice.name; }

class PairRuns : public testing::TestWithParam<Choice> {
 protected:
  static std::string paired() {
    const Choice& choice = GetParam();
    return text_of(choice.b ? pair_runs(runs(choice.a), runs(*choice.b), choice.wanted)
                            : pair_runs(runs(choice.a), choice.wanted));
  }
};

class GoodPairRuns : public PairRuns {};
class BadPairRuns : public PairRuns {};

TEST_P(GoodPairRuns, AreThoseMeant) { EXPECT_EQ(paired(), GetParam().pairs); }

TEST_P(BadPairRuns, GetASentence) {
  try {
    ADD_FAILURE() << paired();
  } catch (const text::UsageError& error) {
    EXPECT_NE(std::string(error.what()).find(GetParam().pairs), std::string::npos) << error.what();
  }
}

TEST(FarthestPairing, IsTheBaselineAndTheLevelOfLeastPrecision) {
  const auto farthest = [](const Names& levels) {
    const auto pairing = analysis::farthest_pairing(runs(levels));
    return pairing ? text_of({*pairing}) : "";
  };
  EXPECT_EQ(farthest({"O1", "O3", "O0", "O2"}), "3 | 2");
  EXPECT_EQ(farthest({"O1", "O2", "O2"}), "1 | 2 3") << "the first level without O0";
  EXPECT_EQ(farthest({"O0", ""}), "1 | 2") << "a program that sets its own precision";
  EXPECT_EQ(farthest({"O1", "O1!"}), "1 | 2");
  EXPECT_EQ(farthest({"O1", "O1", "O1"}), "1 | 2") << "repeats";
  EXPECT_EQ(farthest({"O1"}), "");
  EXPECT_EQ(farthest({}), "");
}

TEST(NamesOfRuns, SayWhichAreWithoutTorchCompile) {
  const auto all = runs({"O1", "O1!", "O1!", "!"});
  EXPECT_EQ(label_of(all[0], all), "O1");
  EXPECT_EQ(label_of(all[1], all), "O1 eager");
  EXPECT_EQ(label_of(all[2], all), "O1 eager #2");
  EXPECT_EQ(label_of(all[3], all), "run 4 eager");
  EXPECT_EQ(name_of({all[1], all[2]}), "O1 eager");
  EXPECT_EQ(name_of({all[3]}), "run 4 eager");
}

INSTANTIATE_TEST_SUITE_P(
    Pairing, GoodPairRuns,
    testing::Values(Choice{"levels", {"O0", "O1", "O2"}, {}, {"O1", "o2"}, "2 | 3"},
                    Choice{"repeats", {"O0", "O0", "O1", "O1"}, {}, {"O0", "O1"}, "1 2 | 3 4"},
                    Choice{"ids", {"O0", "O0", "O1"}, {}, {"1", "2"}, "1 | 2"},
                    Choice{"base_against_one", {"O0", "O1", "O2"}, {}, {"O2"}, "1 | 3"},
                    Choice{"base_against_each", {"O0", "O1", "O2"}, {}, {}, "1 | 2; 1 | 3"},
                    Choice{"two_without_a_base", {"O1", "O2"}, {}, {}, "1 | 2"},
                    Choice{"reports_at_common_levels", {"O0", "O1"}, Names{"O1", "O2", "O0"}, {}, "1 | 3; 2 | 1"},
                    Choice{"reports_at_one_level", {"O0", "O1"}, Names{"O1", "O2"}, {"O1"}, "2 | 1"},
                    Choice{"reports_at_two_levels", {"O0", "O1"}, Names{"O1", "O2"}, {"O0", "O2"}, "1 | 2"},
                    Choice{"only_levels", {"O0"}, Names{"O1", "O1"}, {}, "1 | 1 2"},
                    Choice{"compiled_and_eager", {"", "", "!", "!"}, {}, {}, "1 2 | 3 4"},
                    Choice{"a_level_compiled", {"O0", "O0!", "O1", "O1!"}, {}, {"O0", "O1"}, "1 | 3"},
                    Choice{"reports_of_both", {"!", ""}, Names{"", "!"}, {}, "1 | 2; 2 | 1"},
                    Choice{"program_decides", {""}, Names{""}, {}, "1 | 1"}),
    [](const auto& info) { return info.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Pairing, BadPairRuns,
    testing::Values(Choice{"one_level_only", {"O1", "O1"}, {}, {}, "Nothing to compare."},
                    Choice{"no_runs", {}, {}, {}, "The report has no runs."},
                    Choice{"base_with_itself", {"O0", "O1"}, {}, {"O0"}, "Name the other side"},
                    Choice{"unknown", {"O0", "O1"}, {}, {"O0", "O3"}, "no run 'O3'. Its runs are 1 (O0) and 2 (O1)."},
                    Choice{"unknown_in_b", {"O0"}, Names{"O1"}, {"O0"}, "B has no run 'O0'"},
                    Choice{"three", {"O0", "O1"}, {}, {"O0", "O1", "O2"}, "at most two"},
                    Choice{"nothing_in_common", {"O0", "O1"}, Names{"O2"}, {}, "no level in common"}),
    [](const auto& info) { return info.param.name; });

}  // namespace pairing_test
}  // namespace ampprof::views
