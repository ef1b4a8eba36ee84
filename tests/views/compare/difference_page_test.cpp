// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <sstream>

#include "views/compare/difference.h"
#include "views/table/format.h"

namespace ampprof::views {
namespace difference_page_test {

using compare::Basis;
using compare::Match;
using compare::Verdict;

queries::RunRow run_at(const char* level) {
  queries::RunRow run;
  run.run = 1;
  run.level = level;
  run.complete = true;
  return run;
}

/// Builds a comparison and prints its page.
class Page {
 public:
  void add(Match match, std::optional<Verdict> verdict, std::optional<Basis> basis = {}) {
    compare::ComparedMetric figure;
    figure.name = "local_rel_l2";
    figure.a = figure.b = 1.0;
    figure.verdict = verdict;
    figure.basis = basis;
    figure.p = basis == Basis::RankTest ? std::optional(0.01) : std::nullopt;
    const compare::SitePair sites{match, match == Match::OnlyB ? nullptr : &site_,
                                  match == Match::OnlyA ? nullptr : &site_};
    difference.sites.push_back({sites, {figure}});
  }

  std::vector<std::string> lines(Format format = Format::Table) const {
    std::istringstream text(formatted(pages(), {}, format, {.width = 400}));
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    return lines;
  }
  bool says(const std::string& line) const { return std::ranges::count(lines(), line) > 0; }
  bool mentions(const std::string& part) const {
    return formatted(pages(), {}, Format::Table, {.width = 400}).find(part) != std::string::npos;
  }

  analysis::SideOf a{"r", {.runs = {run_at("O0")}}, analysis::Targets({})};
  analysis::SideOf b{"r", {.runs = {run_at("O1")}}, analysis::Targets({})};
  compare::Difference difference;
  double alpha = 0.05;
  std::size_t left_out = 0;

 private:
  std::vector<DifferencePage> pages() const {
    return {{{a, b, difference, alpha}, {.name = "diff", .none = "No call site matches."}, left_out}};
  }

  queries::OpRow op_;
  compare::Site site_{{}, {&op_}};
};

TEST(DifferencePage, IsHeadedByBothSides) {
  Page page;
  EXPECT_EQ(page.lines().at(0), "O0 against O1");
  page.a.repeats.runs.push_back(run_at("O0"));
  EXPECT_EQ(page.lines().at(0), "O0 (2 runs) against O1");
  page.b.report = "folder/new";
  EXPECT_EQ(page.lines().at(0), "r O0 (2 runs) against new O1");
}

TEST(DifferencePage, CountsWhatIsOnOneSideOnly) {
  Page page;
  page.add(Match::Exact, Verdict::Same);
  EXPECT_TRUE(page.says("1 call site on both sides."));
  page.add(Match::OnlyA, {});
  EXPECT_TRUE(page.says("1 call site on both sides, 1 only on the first side."));
  page.difference.sites.pop_back();
  page.add(Match::OnlyB, {});
  EXPECT_TRUE(page.says("1 call site on both sides, 1 only on the second side."));
  page.difference.sites.pop_back();
  page.add(Match::Renamed, {});
  EXPECT_TRUE(page.says("2 call sites on both sides (1 renamed)."));
  page.difference.sites.pop_back();
  page.add(Match::OnlyA, {});
  page.add(Match::OnlyB, {});
  EXPECT_TRUE(page.says("1 call site on both sides, 1 only on the first side, 1 only on the second side."));
}

TEST(DifferencePage, CountsVerdicts) {
  Page page;
  EXPECT_TRUE(page.says("0 call sites differ, 0 show no difference."));
  page.add(Match::Exact, Verdict::Differs);
  page.add(Match::Exact, Verdict::Same);
  EXPECT_TRUE(page.says("1 call site differs, 1 shows no difference."));
  page.add(Match::Exact, Verdict::Same);
  page.add(Match::Exact, Verdict::Differs);
  page.add(Match::Exact, Verdict::CannotTell, Basis::NoRepeats);
  EXPECT_TRUE(page.says("2 call sites differ, 2 show no difference, 1 undecided."));
}

TEST(DifferencePage, SaysWhatVerdictsRestOn) {
  Page page;
  const std::string remedy = " Record repeats: ampprof run --repeat 4.";
  page.add(Match::Exact, Verdict::Same, Basis::Equal);
  EXPECT_FALSE(page.mentions("Record repeats"));
  page.add(Match::Exact, Verdict::CannotTell, Basis::NoRepeats);
  EXPECT_TRUE(page.says("One run on a side: changes cannot be told apart from noise." + remedy));
  page.add(Match::Exact, Verdict::Same, Basis::Deterministic);
  EXPECT_TRUE(page.says("One run on a side: times cannot be told apart from noise." + remedy));
  EXPECT_TRUE(page.mentions("\nBoth sides ran with deterministic algorithms"));
  EXPECT_FALSE(page.mentions("too few"));
  page.a.repeats.runs.resize(2, run_at("O0"));
  page.b.repeats.runs.resize(2, run_at("O1"));
  page.add(Match::Exact, Verdict::CannotTell, Basis::TooFewRepeats);
  EXPECT_TRUE(page.says("2 and 2 runs are too few for a rank test: the smallest possible p is 0.33." + remedy));
  EXPECT_FALSE(page.mentions("agree to the last bit"));
  EXPECT_FALSE(page.mentions("Rank tests"));
  page.add(Match::Exact, Verdict::Same, Basis::RepeatsAgree);
  EXPECT_TRUE(page.mentions("\nIf all repeats of a side agree to the last bit"));
  page.add(Match::Exact, Verdict::Same, Basis::RankTest);
  EXPECT_TRUE(
      page.says("Rank tests (Mann-Whitney U, two-sided): 1. At p <= 0.05, about 0.05 of them would find a difference "
                "by chance."));
}

TEST(DifferencePage, AsksForNoMoreThanFiftyRepeats) {
  Page page;
  page.add(Match::Exact, Verdict::CannotTell, Basis::NoRepeats);
  page.alpha = 1.0;
  EXPECT_TRUE(page.mentions("--repeat 2.\n"));
  page.alpha = compare::smallest_p(3, 3);
  EXPECT_TRUE(page.mentions("--repeat 3.\n")) << "a p that is the limit is small enough";
  page.alpha = 0.0;
  EXPECT_TRUE(page.mentions("--repeat 50.\n"));
}

TEST(DifferencePage, SaysWhatMakesSidesLessComparable) {
  Page page;
  EXPECT_FALSE(page.mentions("cleanly"));
  page.b.repeats.runs[0].complete = false;
  EXPECT_TRUE(page.says("1 run did not end cleanly; the comparison covers only what was recorded."));
  EXPECT_FALSE(page.mentions("programs"));
  page.a.repeats.runs[0].program = "./a";
  page.b.repeats.runs[0].program = "./b";
  EXPECT_TRUE(page.says("The programs are not the same: ./a and ./b."));
  EXPECT_FALSE(page.mentions("emulated"));
  page.b.repeats.runs[0].device = "cpu";
  EXPECT_TRUE(page.mentions("emulated"));
  page.b.repeats.runs[0].level = "O0";
  EXPECT_FALSE(page.mentions("emulated")) << "at one level both take the same time";
}

TEST(DifferencePage, CountsTheRowsThatALimitLeftOut) {
  Page page;
  EXPECT_FALSE(page.mentions("more:"));
  page.left_out = 1;
  EXPECT_TRUE(page.says("1 call site more: --limit N"));
  page.left_out = 2;
  EXPECT_TRUE(page.says("2 call sites more: --limit N"));
}

TEST(DifferencePage, SuggestsAtMostEightRenames) {
  Page page;
  EXPECT_FALSE(page.mentions("renamed;"));
  for (int i = 0; i < 8; ++i) {
    page.difference.suggestions.push_back(
        {.from = i == 0 ? "" : "a", .to = "b", .modules = {{"a", "b"}}, .call_sites = 2});
  }
  EXPECT_TRUE(page.says("the root -> b: 1 module, 2 call sites, the same ops and shapes. Apply: --rename '=b'"));
  EXPECT_FALSE(page.mentions("more;"));
  page.difference.suggestions.back().same_shapes = false;
  EXPECT_TRUE(page.says("a -> b: 1 module, 2 call sites, the same ops, other shapes. Apply: --rename 'a=b'"));
  page.difference.suggestions.resize(11);
  EXPECT_TRUE(page.says("3 more. Apply all: --rename all"));
}

/// Returns the titles of the columns in the order in which tables omit them on ever narrower terminals.
std::vector<std::string> first_to_go(const View& view) {
  std::vector<std::string> order;
  for (int width = 300; width > 40; --width) {
    for (const std::string& title : hidden_columns(table_of(view), width)) {
      if (std::ranges::find(order, title) == order.end()) order.push_back(title);
    }
  }
  return order;
}

queries::OpRow measured(double figure) {
  queries::OpRow op;
  op.run = 1;
  op.call_site = "fc/mm";
  op.op = "mm";
  op.calls = 1;
  op.cpu_us = op.loss_impact_rms.emplace(figure);
  op.gpu_us = figure;
  op.local = ErrorStats{.count = 1, .sum_sq_error = figure, .sum_sq_reference = 1};
  op.inherited = op.local;
  op.ranges = RangeStats{.count = 9, .nonfinite = static_cast<std::int64_t>(figure)};
  op.dtype_in = op.dtype_out = DType::Half;
  op.signature = "f16[64,64] f16[64,64]";
  return op;
}

TEST(SiteDifferences, LeaveOutOfNarrowTablesWhatCountsLeast) {
  queries::RunRow run = run_at("O1");
  run.target_gpu = "A100";
  queries::EventRow event;
  event.run = 1;
  event.first_op = "fc/mm";
  event.by_scaler = true;
  event.first_op_phase = Phase::Forward;
  const auto side = [&](double figure) {
    return analysis::SideOf{"r", {{run}, {measured(figure)}, {event}}, analysis::Targets({run})};
  };
  const analysis::OwnedComparison pair(side(1), side(2), {});
  EXPECT_EQ(first_to_go(site_difference_view(pair.side_by_side())),
            (std::vector<std::string>{"verdict", "Tensor Cores", "overflows", "accumulated", "impact RMS", "types",
                                      "NaN/inf"}));
}

TEST(SiteDifferences, NameACallSiteAsBothSidesCallIt) {
  const auto side = [&](const std::string& module) {
    queries::OpRow op = measured(1);
    op.module = module;
    op.call_site = module + "/mm";
    return analysis::SideOf{"r", {{run_at("O1")}, {op}, {}}, analysis::Targets({})};
  };
  const auto compared = [&](const char* b, const compare::Options& options) {
    const analysis::OwnedComparison pair(side("old"), side(b), options);
    return site_difference_view(pair.side_by_side()).records;
  };
  const auto renamed = compared("new", {.renames = {{"old", "new"}}});
  EXPECT_EQ(renamed.at(0).json.at("call_site"), "old/mm");
  EXPECT_EQ(renamed.at(0).json.at("call_site_b"), "new/mm");
  EXPECT_EQ(renamed.at(0).cells.at(0).text, "~ new/mm");
  EXPECT_TRUE(compared("old", {}).at(0).json.at("call_site_b").is_null());
  EXPECT_EQ(compared("new", {}).at(0).cells.at(0).text, "- old/mm");
  EXPECT_EQ(compared("new", {}).at(1).cells.at(0).text, "+ new/mm");
}

TEST(RunDifferences, ShowWholeNumbersAsCounts) {
  const auto shown = [](double value) {
    Page page;
    compare::ComparedMetric figure;
    figure.name = "steps";
    figure.a = figure.b = value;
    page.difference.runs = {figure};
    return run_difference_view({page.a, page.b, page.difference, 0.05}).records.at(0).cells.at(1).text;
  };
  EXPECT_EQ(shown(1234), "1234");
  EXPECT_EQ(shown(2.5), "2.50") << "a median of repeats";
  EXPECT_EQ(shown(-1234), "-1234");
  EXPECT_EQ(shown(1e300), "1.00e+300");
}

TEST(RunDifferences, HaveARatioOfWhatIsKnownAndNotZero) {
  const auto ratio = [](std::optional<double> a, std::optional<double> b) {
    Page page;
    compare::ComparedMetric figure;
    figure.name = "steps";
    figure.a = a;
    figure.b = b;
    page.difference.runs = {figure};
    return run_difference_view({page.a, page.b, page.difference, 0.05}).records.at(0).json.at("ratio");
  };
  EXPECT_EQ(ratio(2, 3), 1.5);
  EXPECT_EQ(ratio(2, 0), 0.0);
  EXPECT_TRUE(ratio(0, 3).is_null());
  EXPECT_TRUE(ratio({}, 3).is_null());
  EXPECT_TRUE(ratio(2, {}).is_null());
}

}  // namespace difference_page_test
}  // namespace ampprof::views
