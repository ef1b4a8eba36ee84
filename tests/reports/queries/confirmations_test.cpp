// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/confirmations.h"

#include <gtest/gtest.h>

#include "reports/store/temporary_folder.h"
#include "reports/store/writer.h"

namespace ampprof::queries {
namespace confirmations_test {

TEST(Confirmations, AreTheLastOfEachRemedy) {
  const store::TemporaryFolder folder;
  const auto path = folder.path() / "r.ampprof";
  store::create_report(path, false);
  store::ReportWriter writer(path);
  RunStart start;
  start.program = "train";
  const std::int64_t run = writer.begin_run(start);
  const Confirmation refuted{
      .kind = "stale_cast", .remedy = "no_cast_cache", .outcome = "It is still there.", .explains = ""};
  const Confirmation helped{.kind = "stale_cast",
                            .remedy = "no_cast_cache",
                            .helped = true,
                            .outcome = "It is gone.",
                            .explains = "lost_sum"};
  writer.add_confirmation(run, refuted);
  writer.add_confirmation(run, helped);
  const auto rows = confirmations(Report(path));
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].run, run);
  EXPECT_EQ(rows[0].confirmation, helped);
}

}  // namespace confirmations_test
}  // namespace ampprof::queries
