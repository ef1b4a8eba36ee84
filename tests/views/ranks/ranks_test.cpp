// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/ranks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <utility>

#include "analysis/ranks/ranks.h"
#include "analysis/ranks/representatives.h"
#include "reports/queries/runs.h"
#include "reports/text/elide.h"
#include "views/ranks/rank_sentences.h"
#include "views/ranks/views.h"
#include "views/table/format.h"

namespace ampprof::views {
namespace ranks_test {

using Texts = std::vector<std::string>;

analysis::Rank rank_numbered(std::int64_t number, std::int64_t world_size) {
  analysis::Rank rank;
  rank.run.run = number + 1;
  rank.run.level = "O1";
  rank.run.rank = number;
  rank.run.world_size = world_size;
  rank.run.host = "node" + std::to_string(number / 8);
  rank.run.complete = true;
  rank.run.steps = 12;
  rank.run.ms_per_step = 41.5;
  rank.run.final_loss = 0.25;
  rank.run.loss_scale_final = 65536;
  rank.record.collective_calls = 24;
  rank.record.collective_ms = 3.5;
  rank.record.worst_local_error = 1e-3;
  rank.record.worst_op = "conv1/conv2d";
  rank.pace = analysis::Pace::Even;
  rank.slower_by = 0.0;
  return rank;
}

analysis::RankedLaunch launch_of(std::int64_t ranks) {
  analysis::RankedLaunch launch;
  for (std::int64_t rank = 0; rank < ranks; ++rank) launch.ranks.push_back(rank_numbered(rank, ranks));
  return launch;
}

queries::RankEvent event_in(std::int64_t step, const std::string& op, bool is_received) {
  queries::RankEvent event;
  event.step = step;
  event.first_place = {op.empty() ? 0 : 2, 0};
  event.first_phase = Phase::Backward;
  event.first_op = op;
  event.is_received = is_received;
  event.parameter = "conv1.weight";
  return event;
}

/// Returns a launch in which rank 1 began an overflow that rank 0 received.
analysis::RankedLaunch launch_with_overflow() {
  analysis::RankedLaunch launch = launch_of(2);
  const auto began = event_in(7, "backward conv1/mm", false);
  launch.ranks[0].record.events = {event_in(7, "backward c10d::allreduce_", true)};
  launch.ranks[1].record.events = {began};
  launch.ranks[1].overflows_begun = 1;
  launch.overflows = {{.step = 7, .loss_id = 0, .origins = {{1, began}}, .received = {0}, .unknown = {}}};
  return launch;
}

Texts texts_of(const std::vector<Sentence>& said) {
  Texts texts;
  for (const Sentence& sentence : said) texts.push_back(sentence.text);
  return texts;
}

TEST(RanksView, OfAReportWithoutRanksSaysSo) {
  const View view = ranks_view({});
  EXPECT_TRUE(view.records.empty());
  EXPECT_EQ(formatted(view, Format::Table, {.width = 80}), in_place_of_rows(view) + '\n');
  EXPECT_NE(view.none.find("no ranks"), std::string::npos);
  EXPECT_NE(view.remedy.find("ampprof merge"), std::string::npos);
  EXPECT_EQ(formatted(view, Format::Json, {}), "[]\n");
}

TEST(RanksView, HasARecordForEachRank) {
  const View view = ranks_view({launch_with_overflow()});
  ASSERT_EQ(view.records.size(), 2u);
  const Json& received = view.records[0].json;
  EXPECT_EQ(received.at("rank"), 0);
  EXPECT_EQ(received.at("world_size"), 2);
  EXPECT_EQ(received.at("missing_ranks"), "");
  EXPECT_EQ(received.at("collective_ms"), 3.5);
  EXPECT_EQ(received.at("first_nonfinite_op"), "backward c10d::allreduce_");
  EXPECT_EQ(received.at("first_nonfinite_received"), true);
  EXPECT_EQ(received.at("pace"), "even");
  EXPECT_EQ(received.at("stands_out"), false);
  EXPECT_TRUE(received.at("diverges_in").is_null());
  const Json& began = view.records[1].json;
  EXPECT_EQ(began.at("first_nonfinite_step"), 7);
  EXPECT_EQ(began.at("first_nonfinite_received"), false);
  EXPECT_EQ(began.at("overflows_begun"), 1);
  EXPECT_EQ(began.at("stands_out"), true);
  EXPECT_EQ(view.records[1].cells.back().text, "began 1 overflow");
}

TEST(RanksView, LeavesOutUnknownFigures) {
  analysis::RankedLaunch launch = launch_of(1);
  analysis::Rank& rank = launch.ranks[0];
  rank.record = {};
  rank.run.host = "";
  rank.run.world_size.reset();
  rank.slower_by.reset();
  rank.record.events = {event_in(3, "", false)};
  const View view = ranks_view({launch});
  for (const char* key : {"world_size", "host", "collective_ms", "worst_local_rel_l2", "worst_op", "slower_by",
                          "first_nonfinite_op", "first_nonfinite_received", "diverges_in_step", "others_value"}) {
    EXPECT_TRUE(view.records[0].json.at(key).is_null()) << key;
  }
  EXPECT_EQ(view.records[0].json.at("collective_calls"), 0);
}

TEST(RanksView, SaysWhatRanksComeTo) {
  analysis::RankedLaunch launch = launch_with_overflow();
  EXPECT_EQ(texts_of(said_of({launch})),
            (Texts{"The overflow in step 7 began on rank 1 in backward conv1/mm, parameter conv1.weight.",
                   "No rank is slower than the others beyond noise."}));
  launch.ranks[1].divergence = {analysis::Replicated::LossScale, 7, 32768, 65536};
  launch.ranks[0].divergence = {analysis::Replicated::SkippedStep, 8, 1, 0};
  launch.ranks[0].pace = analysis::Pace::Slower;
  launch.ranks[0].slower_by = 0.25;
  launch.overflows.push_back(launch.overflows.front());
  launch.overflows.front().origins.clear();
  launch.missing = {{2, 2}, {4, 7}};
  EXPECT_EQ(texts_of(said_of({launch})),
            (Texts{"The first of 2 overflows, in step 7, came from another rank, which is not in this report.",
                   "Ranks disagree where all must agree: rank 0 (step 8 skipped) and rank 1 (scale 32768, others "
                   "65536 in step 7).",
                   "Slower than the other ranks, beyond noise: rank 0 (25%).",
                   "Ranks 2 and 4 to 7 of 2 are not in this report."}));
}

analysis::RankedLaunch launch_with_deaths(std::vector<analysis::HostDeaths> deaths) {
  analysis::RankedLaunch launch = launch_of(4);
  for (const analysis::HostDeaths& host : deaths) {
    for (const analysis::RankDeath& death : host.ranks) {
      queries::RunRow& run = launch.ranks.at(static_cast<std::size_t>(death.rank)).run;
      run.exit_code = death.exit_code;
      run.ended_ns = death.ended_ns;
      run.complete = false;
    }
  }
  launch.deaths = std::move(deaths);
  return launch;
}

TEST(RanksView, SaysWhichRankDiedFirstAndHow) {
  constexpr std::int64_t kEnd = 1'700'000'000'000'000'000;
  const auto said = [](const std::vector<analysis::RankDeath>& ranks) {
    return texts_of(said_of({launch_with_deaths({{"node0", ranks}})})).at(0);
  };
  EXPECT_EQ(said({{3, 137, kEnd}, {0, 1, kEnd + 400'000'000}, {1, 143, kEnd + 900'000'000}}),
            "Rank 3 died first: signal SIGKILL (Killed), 400 ms before rank 0 (exit code 1).");
  EXPECT_EQ(said({{2, 139, kEnd}}), "Rank 2 died: signal SIGSEGV (Segmentation fault).");
  EXPECT_EQ(said({{2, std::nullopt, kEnd}}), "Rank 2 died: cause unknown.");
  EXPECT_EQ(said({{3, 137, kEnd}, {0, 1, kEnd + 4'000'000}}),
            "Ranks died, the first two within 10 ms: rank 3 (signal SIGKILL (Killed)) and rank 0 (exit code 1).");
  EXPECT_EQ(
      said({{3, 137, kEnd}, {0, 1, std::nullopt}}),
      "Ranks died, and it is unknown which died first: rank 3 (signal SIGKILL (Killed)) and rank 0 (exit code 1).");
}

TEST(RanksView, SaysWhichRankDiedFirstOnEachHost) {
  const Texts texts = texts_of(said_of({launch_with_deaths({{"a", {{0, 1, 5}}}, {"b", {{2, 137, 3}}}})}));
  EXPECT_EQ(texts.at(0), "Rank 0 died on a: exit code 1.");
  EXPECT_EQ(texts.at(1), "Rank 2 died on b: signal SIGKILL (Killed).");
}

TEST(RanksView, HasHowARankEndedInItsRecord) {
  const View view = ranks_view({launch_with_deaths({{"node0", {{3, 137, 1'500'000'000}, {0, 1, 2'000'000'000}}}})});
  EXPECT_EQ(view.records[3].json.at("exit_code"), 137);
  EXPECT_EQ(view.records[3].json.at("ended_at"), 1.5);
  EXPECT_EQ(view.records[3].json.at("died_first"), true);
  EXPECT_EQ(view.records[0].json.at("died_first"), false);
  EXPECT_TRUE(view.records[1].json.at("exit_code").is_null());
  EXPECT_EQ(view.records[1].json.at("died_first"), false);
  EXPECT_EQ(view.records[3].cells.back().text, "signal SIGKILL (Killed)");
  const View unsure = ranks_view({launch_with_deaths({{"node0", {{3, 137, 1}, {0, 1, std::nullopt}}}})});
  EXPECT_TRUE(unsure.records[3].json.at("died_first").is_null());
}

TEST(RanksView, SaysWhereASumOverRanksOverflowed) {
  analysis::RankedLaunch launch = launch_with_overflow();
  launch.overflows.front().origins.clear();
  EXPECT_EQ(texts_of(said_of({launch})).front(),
            "The overflow in step 7 came from another rank, which did not see the op in which it began.");
  launch.overflows.front().received = {0, 1};
  EXPECT_EQ(texts_of(said_of({launch})).front(),
            "The overflow in step 7 began in a collective, to which each rank gave finite numbers.");
}

/// Returns a launch of four ranks in which a weight of rank 3 differs in step 11.
analysis::RankedLaunch launch_with_other_parameter() {
  analysis::RankedLaunch launch = launch_of(4);
  launch.parameters.was_asked = true;
  launch.parameters.steps = 3;
  launch.parameters.compared = 12;
  analysis::ParameterDivergence& divergence = launch.parameters.divergence.emplace();
  divergence = {
      .step = 11, .parameter = "fc.weight", .parameters = 2, .has_majority = true, .alone = {3}, .agreed_in = 6};
  launch.ranks[3].divergence =
      analysis::Divergence{.what = analysis::Replicated::Parameter, .step = 11, .parameter = "fc.weight"};
  return launch;
}

TEST(RanksView, SaysWhoHoldsOtherParameters) {
  analysis::RankedLaunch launch = launch_with_other_parameter();
  EXPECT_EQ(
      texts_of(said_of({launch})),
      (Texts{
          "In step 11, rank 3 holds a different fc.weight than most ranks (2 parameters in all); in step 6, all ranks "
          "agreed.",
          "No rank is slower than the others beyond noise."}))
      << "one sentence, not two";
  launch.parameters.divergence->alone = {0, 3};
  launch.parameters.divergence->agreed_in.reset();
  EXPECT_EQ(texts_of(said_of({launch})).at(0),
            "In step 11, ranks 0 and 3 hold a different fc.weight than most ranks (2 parameters in all).");
  launch.parameters.divergence->has_majority = false;
  EXPECT_EQ(texts_of(said_of({launch})).at(0),
            "In step 11, ranks hold different values of fc.weight, without a majority (2 parameters in all).");
  launch.parameters.divergence.reset();
  EXPECT_EQ(texts_of(said_of({launch})).at(0), "Ranks hold the same parameters: 12 parameters compared in 3 steps.");
}

TEST(RanksView, SaysWhatWasNotCompared) {
  analysis::RankedLaunch launch = launch_of(2);
  launch.parameters.was_asked = true;
  EXPECT_EQ(texts_of(said_of({launch})).at(0),
            "--check-ranks compared nothing: no parameter was checked on two ranks in the same step.");
  launch.parameters.not_replicated = {"a"};
  EXPECT_EQ(texts_of(said_of({launch})).at(0),
            "Not compared, because ranks began with different values, as sharded parameters do: a. If it is meant "
            "to be replicated, broadcast it before the first step.");
  launch.parameters.not_replicated = {"a", "b", "c", "d", "e"};
  EXPECT_NE(texts_of(said_of({launch})).at(0).find("a, b, c and 2 more. If they are"), std::string::npos);
}

TEST(RanksView, HasWhatWasComparedInEachRecord) {
  const View view = ranks_view({launch_with_other_parameter()});
  const Json& alone = view.records[3].json;
  EXPECT_EQ(alone.at("diverges_in"), "parameter");
  EXPECT_EQ(alone.at("diverges_in_step"), 11);
  EXPECT_EQ(alone.at("diverging_parameter"), "fc.weight");
  EXPECT_TRUE(alone.at("diverging_value").is_null());
  EXPECT_TRUE(alone.at("others_value").is_null());
  EXPECT_EQ(alone.at("checked_steps"), 3);
  EXPECT_EQ(alone.at("checked_parameters"), 12);
  EXPECT_EQ(alone.at("unreplicated_parameters"), 0);
  EXPECT_EQ(view.records[3].cells.back().text, "fc.weight differs in step 11");
  EXPECT_TRUE(view.records[0].json.at("diverging_parameter").is_null());
  const View unasked = ranks_view({launch_of(2)});
  for (const char* key : {"checked_steps", "checked_parameters", "unreplicated_parameters"}) {
    EXPECT_TRUE(unasked.records[0].json.at(key).is_null()) << key;
  }
}

TEST(RanksView, NamesTheRankThatOthersWaitFor) {
  analysis::RankedLaunch launch = launch_of(3);
  for (analysis::Rank& rank : launch.ranks) {
    rank.has_collectives = true;
    rank.wait_ms = 12.5;
  }
  launch.ranks[1].pace = analysis::Pace::Slower;
  launch.ranks[1].slower_by = 0.25;
  launch.ranks[1].wait_ms = 0.5;
  launch.ranks[1].waited_for_ms = 12.0;
  EXPECT_EQ(texts_of(said_of({launch})),
            Texts{"Collectives of the other ranks wait for rank 1 (12.0 ms a step), beyond noise."});
  const View view = ranks_view({launch});
  EXPECT_EQ(view.records[0].json.at("wait_ms_per_step"), 12.5);
  EXPECT_TRUE(view.records[0].json.at("waited_for_ms").is_null());
  EXPECT_EQ(view.records[1].json.at("waited_for_ms"), 12.0);
  EXPECT_EQ(view.records[1].cells.back().text, "25% slower");
}

TEST(RanksView, SaysThatWaitsAreNotKnown) {
  analysis::RankedLaunch launch = launch_of(2);
  launch.ranks[0].has_collectives = true;
  EXPECT_EQ(texts_of(said_of({launch})).back().substr(0, 51), "The time that collectives wait for a rank is unknow");
  EXPECT_TRUE(ranks_view({launch}).records[0].json.at("wait_ms_per_step").is_null());
}

TEST(RanksView, SaysThatItCannotTell) {
  analysis::RankedLaunch launch = launch_of(2);
  for (analysis::Rank& rank : launch.ranks) rank.pace = analysis::Pace::CannotTell;
  EXPECT_EQ(texts_of(said_of({launch})), Texts{"Cannot tell whether a rank is slower than the others: too few steps."});
  EXPECT_TRUE(said_of({launch_of(1)}).empty()) << "a rank alone is compared with none";
  EXPECT_EQ(said_of({launch, launch}).at(1).text.substr(0, 10), "Launch 2: ");
}

TEST(RanksView, NamesRanksThatStandOutAndCountsTheOthers) {
  analysis::RankedLaunch launch = launch_of(1024);
  launch.ranks[3].pace = analysis::Pace::Slower;
  launch.ranks[700].run.complete = false;
  const View view = ranks_view({launch});
  EXPECT_EQ(view.records.size(), 1024u);
  const auto rank_column = std::ranges::find(view.columns, "rank", &Column::key) - view.columns.begin();
  Texts numbers;
  for (const auto& row : view.shortened(view)) numbers.push_back(row.at(static_cast<std::size_t>(rank_column)).text);
  EXPECT_EQ(numbers, (Texts{"3", "700", "1022 alike"}));
}

TEST(RanksView, CountsRanksThatStandOutWhereThereAreMany) {
  analysis::RankedLaunch launch = launch_of(60);
  for (std::size_t rank = 0; rank < 50; ++rank) launch.ranks[rank].run.complete = false;
  const View view = ranks_view({launch});
  const auto rows = view.shortened(view);
  ASSERT_EQ(rows.size(), 42u);
  const auto rank_column = std::ranges::find(view.columns, "rank", &Column::key) - view.columns.begin();
  EXPECT_EQ(rows[40].at(static_cast<std::size_t>(rank_column)).text, "10 more");
  EXPECT_EQ(rows[41].at(static_cast<std::size_t>(rank_column)).text, "10 alike");
}

TEST(RanksView, ListsUpToFortyRanksWhole) {
  const View view = ranks_view({launch_of(40)});
  EXPECT_EQ(view.shortened(view).size(), 40u);
}

TEST(RanksView, FitsTheTerminal) {
  const View view = ranks_view({launch_with_overflow()});
  for (const int width : {80, 160}) {
    const std::string text = formatted(view, Format::Table, {.width = width});
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(text::display_width(line), width) << line;
    EXPECT_NE(text.find("stands out"), std::string::npos) << text;
    EXPECT_NE(text.find("first NaN/inf"), std::string::npos) << text;
    EXPECT_EQ(text.find("last loss") != std::string::npos, width == 160) << "the same on all ranks: " << text;
  }
}

/// Returns the representatives of 64 ranks, of which the ranks `standing_out` stand out.
analysis::Representatives representatives(const std::vector<std::size_t>& standing_out) {
  analysis::RankedLaunch launch = launch_of(64);
  for (const std::size_t rank : standing_out) launch.ranks[rank].run.complete = false;
  std::vector<queries::RunRow> runs;
  for (const analysis::Rank& rank : launch.ranks) runs.push_back(rank.run);
  return analysis::represent(runs, {launch});
}

TEST(ShownRanks, AreNamedInASentence) {
  const auto said = [](const std::vector<std::size_t>& standing_out) {
    const analysis::Representatives shown = representatives(standing_out);
    return shown_of(shown.launches.at(0), shown).text;
  };
  EXPECT_EQ(said({}), "None of 64 ranks at O1 stands out. Shown: rank 0.");
  EXPECT_EQ(said({7}), "1 of 64 ranks at O1 stands out: 7. Shown: rank 0 and those that stand out.");
  EXPECT_EQ(said({3, 40}), "2 of 64 ranks at O1 stand out: 3 and 40. Shown: rank 0 and those that stand out.");
  EXPECT_EQ(said({1, 3, 5, 7, 9, 11}),
            "6 of 64 ranks at O1 stand out: 1, 3, 5 and 3 more. Shown: rank 0 and the first that stand out.");
}

struct Listed {
  const char* text;
  std::vector<analysis::RankSpan> spans;
};

TEST(ListedRanks, NameAFew) {
  for (const auto& [text, spans] : {Listed{"4", {{4, 4}}}, Listed{"0 to 3 and 7", {{0, 3}, {7, 7}}},
                                    Listed{"0, 2, 4 and 12 more", {{0, 0}, {2, 2}, {4, 4}, {6, 15}, {17, 18}}}}) {
    EXPECT_EQ(listed_ranks(spans), text);
  }
}

}  // namespace ranks_test
}  // namespace ampprof::views
