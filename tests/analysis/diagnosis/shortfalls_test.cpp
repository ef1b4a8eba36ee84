// SPDX-License-Identifier: Apache-2.0
#include "analysis/diagnosis/shortfalls.h"

#include <gtest/gtest.h>

#include "reports/queries/runs.h"

namespace ampprof::analysis {
namespace shortfalls_test {

using Kind = Shortfall::Kind;

queries::RunRow whole_run() {
  queries::RunRow run;
  run.run = 3;
  run.level = "O1";
  run.steps = run.recorded_steps = 12;
  run.op_calls = 1;
  run.casts = 1;
  run.exit_code = 0;
  run.complete = true;
  return run;
}

TEST(Shortfalls, OfAWholeRunAreNone) { EXPECT_TRUE(shortfalls_of({whole_run()}).empty()); }

TEST(Shortfalls, ComeRunAfterRunInTheOrderOfTheirKinds) {
  queries::RunRow run = whole_run();
  run.exit_code = 4;
  run.recorded_steps = 11;
  run.casts = 0;
  run.other_shapes = 1;
  queries::RunRow killed = whole_run();
  killed.exit_code.reset();
  const auto all = shortfalls_of({run, killed});
  std::vector<Kind> kinds;
  for (const Shortfall& shortfall : all) kinds.push_back(shortfall.kind);
  ASSERT_EQ(kinds, (std::vector<Kind>{Kind::ProgramFailed, Kind::StepsLeftOut, Kind::NoCasts, Kind::ShapesLeftOut,
                                      Kind::NotEnded}));
  EXPECT_EQ(all[0].exit_code, 4);
  EXPECT_EQ(all[0].count, 1);
  EXPECT_EQ(all[0].run, 3);
  EXPECT_EQ(all[0].level, "O1");
  EXPECT_EQ(all[1].count, 1);
  EXPECT_EQ(all[1].of, 12);
  EXPECT_EQ(all[3].count, 1);
}

TEST(Casts, AreExpectedOfAnO1RunThatCalledOps) {
  queries::RunRow run = whole_run();
  EXPECT_FALSE(inserted_no_cast(run));
  run.casts = 0;
  EXPECT_TRUE(inserted_no_cast(run));
  run.op_calls = 0;
  EXPECT_FALSE(inserted_no_cast(run));
  run = whole_run();
  run.casts = 0;
  run.level = "O2";
  EXPECT_FALSE(inserted_no_cast(run));
}

}  // namespace shortfalls_test
}  // namespace ampprof::analysis
