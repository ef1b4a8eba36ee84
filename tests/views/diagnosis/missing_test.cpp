// SPDX-License-Identifier: Apache-2.0
#include "views/diagnosis/missing.h"

#include <gtest/gtest.h>

#include "reports/queries/missing.h"
#include "reports/queries/runs.h"
#include "views/table/format.h"

namespace ampprof::views {
namespace missing_test {

queries::MissingRow missing(std::int64_t run, const char* level, const char* what, std::int64_t count,
                            const char* cause = "") {
  return {run, level, {what, count, cause, ""}};
}

TEST(NotesOfMissingThings, NameTwoKinds) {
  EXPECT_EQ(note_of_missing({missing(1, "O1", "a", 1), missing(2, "", "b", 2)}, "r"),
            "not in these numbers: a (O1) and b (2x, run 2). Details: ampprof show r missing");
  EXPECT_EQ(note_of_missing({missing(1, "O1", "a", 1), missing(1, "O1", "b", 1), missing(1, "O1", "c", 1)}, "r"),
            "not in these numbers: a (O1), b (O1) and 1 further kind. Details: ampprof show r missing");
}

TEST(MissingThings, AreOneOfEachNameAndCause) {
  const auto things = missing_things({missing(1, "O1", "a", 1, "late"), missing(1, "O1", "a", 2, "late"),
                                      missing(2, "O2", "a", 4, "late"), missing(1, "O1", "a", 8, "full"),
                                      missing(1, "O1", "b", 16, "late")});
  ASSERT_EQ(things.size(), 3u);
  EXPECT_EQ(things[0].missing.count, 7);
  EXPECT_EQ(things[0].runs, "O1, O2");
  EXPECT_EQ(things[1].missing.count, 8);
  EXPECT_EQ(things[1].runs, "O1");
}

TEST(MissingThings, ThatFollowFromARunAreCountedOnce) {
  queries::RunRow run;
  run.level = "O1";
  run.op_calls = 1;
  const auto counted = [&](std::optional<int> exit_code) {
    run.exit_code = exit_code;
    std::vector<std::string> all;
    for (const queries::MissingRow& row : missing_of({run}, {})) {
      all.push_back(row.missing.what + ' ' + std::to_string(row.missing.count));
    }
    return all;
  };
  using Counted = std::vector<std::string>;
  EXPECT_EQ(counted({}), (Counted{"the rest of the run 1", "casts of O1 1"}));
  EXPECT_EQ(counted(3), (Counted{"the rest of the run 1", "casts of O1 1"}));
  EXPECT_EQ(counted(0), (Counted{"the last records of the run 1", "casts of O1 1"}));
  run.steps = 5;
  run.other_shapes = 7;
  run.casts = 1;
  EXPECT_EQ(counted(3), (Counted{"the rest of the run 1", "steps that were not recorded 5", "shapes of op calls 7"}));
}

TEST(MissingView, PutsFirstWhatIsMissingMostInAllRuns) {
  const View view = missing_view({missing(1, "O1", "b", 5, "x"), missing(1, "O1", "a", 3, "late\nframe #0"),
                                  missing(2, "O2", "a", 4, "late\nframe #1")},
                                 {});
  EXPECT_EQ(formatted(view, Format::Table, {.width = 100}),
            " run  level   count  what  cause  remedy\n"
            "1, 2  O1, O2      7  a     late\n"
            "   1  O1          5  b     x\n");
}

TEST(MissingView, SaysWhatOfAStepIsAmpprofs) {
  queries::RunRow run;
  run.run = 1;
  run.level = "O1";
  const auto share = [&](std::optional<double> step_ms, std::optional<double> overhead_ms) {
    run.ms_per_step = step_ms;
    run.overhead_ms_per_step = overhead_ms;
    const View view = missing_view({}, {run});
    return view.records.empty() ? -1.0 : view.records[0].json.at("share").get<double>();
  };
  EXPECT_EQ(share(1.0, 0.25), 0.25);
  EXPECT_EQ(share(0.5, 0.5), 1.0);
  EXPECT_EQ(share(1.0, 0.0), -1.0) << "nothing is said";
  EXPECT_EQ(share(1.0, {}), -1.0);
  EXPECT_EQ(share({}, 0.25), -1.0);
  EXPECT_EQ(share(0.0, 0.25), -1.0);
  run.ms_per_step = 1.0;
  const View view = missing_view({missing(1, "O1", "step times without ampprof's overhead", 1,
                                          "ampprof's own overhead is 250 µs of each 1.00 ms step (25%).")},
                                 {run});
  EXPECT_EQ(table_of(view).rows.size(), 2u) << "what is counted is never the same as what is not";
}

queries::RunRow clean_run() {
  queries::RunRow run;
  run.run = 1;
  run.level = "O1";
  run.steps = run.recorded_steps = 12;
  run.op_calls = 100;
  run.casts = 20;
  run.exit_code = 0;
  run.complete = true;
  return run;
}

std::vector<std::string> whats(const std::vector<queries::MissingRow>& rows) {
  std::vector<std::string> whats;
  for (const queries::MissingRow& row : rows) whats.push_back(row.missing.what);
  return whats;
}

struct Ending {
  const char* name;
  std::optional<int> exit_code;
  bool complete;
  std::int64_t op_calls;
  std::vector<std::string> missing;
};

void PrintTo(const Ending& ending, std::ostream* out) { *out << ending.name; }

class MissingOfRuns : public testing::TestWithParam<Ending> {};

TEST_P(MissingOfRuns, FollowsFromHowTheyEnded) {
  queries::RunRow run = clean_run();
  run.exit_code = GetParam().exit_code;
  run.complete = GetParam().complete;
  run.op_calls = GetParam().op_calls;
  EXPECT_EQ(whats(missing_of({run}, {})), GetParam().missing);
}

INSTANTIATE_TEST_SUITE_P(Endings, MissingOfRuns,
                         testing::Values(Ending{"well", 0, true, 9, {}},
                                         Ending{"killed", std::nullopt, false, 9, {"the rest of the run"}},
                                         Ending{"failed", 3, true, 9, {"the rest of the run"}},
                                         Ending{"without_detaching", 0, false, 9, {"the last records of the run"}},
                                         Ending{"without_a_recorder", 0, false, 0, {}}),
                         [](const auto& info) { return info.param.name; });

TEST(Missing, CountsStepsThatWereNotRecorded) {
  queries::RunRow run = clean_run();
  run.recorded_steps = 4;
  const auto rows = missing_of({run}, {{1, "O1", {"values of op calls", 3, "late", ""}}});
  ASSERT_EQ(whats(rows), (std::vector<std::string>{"steps that were not recorded", "values of op calls"}));
  EXPECT_EQ(rows.at(0).missing.count, 8);
  EXPECT_EQ(rows.at(0).missing.cause, "4 of 12 steps were recorded (--overhead, --every, --steps, ...).");
}

TEST(Missing, OfARunAtO1WithoutACastIsWhatItIsCalledAfter) {
  queries::RunRow run = clean_run();
  run.casts = 0;
  const auto rows = missing_of({run}, {});
  ASSERT_EQ(whats(rows), std::vector<std::string>{"casts of O1"});
  EXPECT_EQ(rows.at(0).missing.cause.substr(0, 8), "0 casts.");
  run.level = "O0";
  EXPECT_TRUE(missing_of({run}, {}).empty());
  run.level = "O1";
  run.op_calls = 0;
  EXPECT_TRUE(missing_of({run}, {}).empty()) << "nothing was recorded: that is said elsewhere";
}

TEST(Missing, IsOneRowForEachReason) {
  const View view = missing_view({{1, "O1", {"values", 2, "sparse tensors", "none"}},
                                  {2, "O2", {"values", 3, "sparse tensors\nframe #0: at::f(0x7f)", "none"}},
                                  {2, "O2", {"values", 40, "meta tensors", "none"}}},
                                 {});
  EXPECT_EQ(formatted(view, Format::Table, {.width = 160}),
            " run  level   count  what    cause           remedy\n"
            "   2  O2         40  values  meta tensors    none\n"
            "1, 2  O1, O2      5  values  sparse tensors  none\n");
  EXPECT_EQ(view.records.size(), 3u) << "programs read one of each run";
}

TEST(Missing, IsReportedInOneLine) {
  const queries::MissingRow values{1, "O1", {"values of op calls", 400, "late", ""}};
  const queries::MissingRow further{2, "O2", {"values of op calls", 12, "full", ""}};
  const queries::MissingRow tail{2, "O2", {"the rest of the run", 1, "killed", ""}};
  EXPECT_EQ(note_of_missing({}, "r.ampprof"), "");
  EXPECT_EQ(note_of_missing({values, further}, "r.ampprof"),
            "not in these numbers: values of op calls (412x, O1, O2). Details: ampprof show r.ampprof missing");
  EXPECT_EQ(
      note_of_missing({tail, values, {1, "", {"a", 1, "", ""}}, {1, "", {"b", 1, "", ""}}}, "r.ampprof"),
      "not in these numbers: the rest of the run (O2), values of op calls (400x, O1) and 2 further kinds. Details: "
      "ampprof show r.ampprof missing");
}

TEST(Missing, SharesTheTimeOfAStepWithAmpprof) {
  queries::RunRow run = clean_run();
  run.ms_per_step = 32;
  run.overhead_ms_per_step = 8;
  const View view = missing_view({}, {run});
  ASSERT_EQ(view.records.size(), 1u);
  EXPECT_EQ(view.records.at(0).json.at("share"), 0.25);
  EXPECT_TRUE(view.records.at(0).json.at("count").is_null()) << "a time is not counted";
  run.overhead_ms_per_step.reset();
  EXPECT_EQ(formatted(missing_view({}, {run}), Format::Table, {}), "Nothing is missing.\n") << "not a made-up 0";
}

TEST(Missing, IsPrintable) {
  EXPECT_EQ(note_of_missing({{1, "O\033", {"a\033[31m", 1, "", ""}}}, "r"),
            "not in these numbers: a?[31m (O?). Details: ampprof show r missing");
}

}  // namespace missing_test
}  // namespace ampprof::views
