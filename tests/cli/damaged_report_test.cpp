// SPDX-License-Identifier: Apache-2.0
// Runs the program on reports with random damage. It must refuse the report or print complete output.
#include <random>

#include "tests/cli/program.h"
#include "tests/cli/synthetic_report.h"
#include "tests/reports/sample_report.h"
#include "views/table/view.h"

namespace ampprof::cli {
namespace damaged_report_test {

using test_support::bytes_of;

constexpr int kRounds = 3;  // damaged reports for each command

constexpr const char* kCommands[]{
    "show r.ampprof --format json",
    "show r.ampprof runs --format json",
    "show r.ampprof ops --format json",
    "show r.ampprof events --format json",
    "show r.ampprof tensor-cores --format json",
    "show r.ampprof ranges --format json",
    "show r.ampprof impact --format json",
    "show r.ampprof casts --format json",
    "show r.ampprof optimizer --format json",
    "show r.ampprof loss-scale --format json",
    "show r.ampprof missing --format json",
    "advise r.ampprof --format json",
    "diff r.ampprof whole.ampprof --format json",
    "check r.ampprof --gate 'local_rel_l2(conv*) < 1' --format json",
    "sql r.ampprof 'SELECT * FROM run' --format json",
    "export r.ampprof --to json -o all --force && cat all",
    "export r.ampprof --to perfetto -o out --force && cat out",
    "export r.ampprof --to html -o page --force && echo '[]'",
    "export r.ampprof --to tensorboard -o logs --force && echo '[]'",
    "merge r.ampprof whole.ampprof -o both.ampprof --force && echo '[]'",
};

class DamagedReport : public BuiltProgram, public testing::WithParamInterface<const char*> {};

std::string damaged(std::string bytes, std::mt19937& random) {
  const std::size_t places = std::size_t{1} << random() % 6;
  for (std::size_t i = 0; i < places; ++i) bytes[random() % bytes.size()] = static_cast<char>(random());
  return bytes;
}

TEST_P(DamagedReport, IsRefusedOrPrintedWhole) {
  write_synthetic_report(work("whole.ampprof"));
  const std::string whole = bytes_of(work("whole.ampprof"));
  std::mt19937 random(7);
  for (int round = 0; round < kRounds; ++round) {
    SCOPED_TRACE(round);
    testing_reports::write_bytes(work("r.ampprof"), damaged(whole, random));
    const Outcome outcome = ampprof(GetParam(), "timeout 60");
    const Outcome again = ampprof(GetParam(), "timeout 60");
    EXPECT_EQ(outcome.exit_code, again.exit_code);
    EXPECT_EQ(outcome.out, again.out);
    if (outcome.exit_code == 4) {
      EXPECT_EQ(outcome.out, "");
      EXPECT_TRUE(outcome.err.starts_with("ampprof: ")) << outcome.err;
      continue;
    }
    // The damage may change a level. Then a gate may fail (1), or a comparison may lack a side (2).
    EXPECT_LE(outcome.exit_code, 2) << outcome.err;
    EXPECT_EQ(outcome.exit_code == 2, outcome.out.empty()) << outcome.err;
    EXPECT_TRUE(outcome.out.empty() || views::Json::accept(outcome.out)) << outcome.out.substr(0, 1000);
  }
}

INSTANTIATE_TEST_SUITE_P(Commands, DamagedReport, testing::ValuesIn(kCommands), [](const auto& info) {
  std::string name = std::to_string(info.index) + '_' + info.param;
  name.resize(name.find(" r."));
  return name;
});

}  // namespace damaged_report_test
}  // namespace ampprof::cli
