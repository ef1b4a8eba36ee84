// SPDX-License-Identifier: Apache-2.0
#include "views/diagnosis/missing.h"

#include <gtest/gtest.h>

#include "views/table/format.h"

namespace ampprof::views {
namespace missing_test {

queries::MissingRow missing(std::int64_t run, const char* level, const char* what, std::int64_t count,
                            const char* cause = "") {
  return {run, level, {what, count, cause, ""}};
}

TEST(NotesOfMissingThings, NameTwoKinds) {
  EXPECT_EQ(note_of_missing({missing(1, "O1", "a", 1), missing(2, "", "b", 2)}, "r"),
            "not in these figures: a (O1) and b (2x, run 2): ampprof show r missing");
  EXPECT_EQ(note_of_missing({missing(1, "O1", "a", 1), missing(1, "O1", "b", 1), missing(1, "O1", "c", 1)}, "r"),
            "not in these figures: a (O1), b (O1) and 1 further kind: ampprof show r missing");
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
                                  missing(2, "O2", "a", 4, "late\nframe #1")});
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
  const View view = missing_view(
      {missing(1, "O1", "step times without ampprof's own", 1, "250 µs of the 1.00 ms of a step are ampprof's (25%).")},
      {run});
  EXPECT_EQ(table_of(view).rows.size(), 2u) << "what is counted is never the same as what is not";
}

}  // namespace missing_test
}  // namespace ampprof::views
