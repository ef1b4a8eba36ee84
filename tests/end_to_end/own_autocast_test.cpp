// SPDX-License-Identifier: Apache-2.0
// Tests a Python program with torch.autocast and a GradScaler in which one function overflows in every step. The advice
// names this function, and its policy repairs the program.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "reports/queries/casts.h"
#include "reports/queries/report.h"
#include "reports/queries/runs.h"
#include "reports/records/dtype.h"
#include "tests/end_to_end/command.h"

namespace ampprof::testing {
namespace own_autocast_test {

class OwnAutocast : public ::testing::Test {
 protected:
  void SetUp() override {
    if (python().empty()) GTEST_SKIP() << "no Python beside this LibTorch";
  }

  CommandResult run(const std::string& words) const {
    CommandResult result = run_command(words, folder_.path());
    EXPECT_EQ(result.exit_code, 0) << words << '\n' << result.err;
    return result;
  }
  CommandResult record(const std::string& options, const std::string& program) const {
    return run(ampprof() + " run --force -o r.ampprof " + options + " -- " + python() + " " + program);
  }
  queries::RunRow recorded() const { return queries::runs(queries::Report(folder_.path() / "r.ampprof")).at(0); }
  std::filesystem::path folder() const { return folder_.path(); }

  /// Returns the result of recording the failing program, and writes its report to r.ampprof. Records once for all
  /// tests.
  CommandResult record_failing() const {
    static std::string report;
    static CommandResult failing;
    if (report.empty()) {
      failing = record("", script("attention_overflow.py"));
      report = bytes_of(folder() / "r.ampprof");
    } else {
      std::ofstream(folder() / "r.ampprof", std::ios::binary) << report;
    }
    return failing;
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(OwnAutocast, IsCuredByTwoCommands) {
  const auto failing = record_failing();
  EXPECT_NE(failing.out.find("did not train"), std::string::npos) << failing.out;
  EXPECT_EQ(recorded().overflow_events, 12);
  EXPECT_EQ(recorded().reduced_type, DType::Half);

  const auto advice = run(ampprof() + " advise r.ampprof -o fix.amp");
  EXPECT_NE(advice.out.find("matmul"), std::string::npos) << advice.out;
  EXPECT_NE(advice.err.find("ampprof run --policy fix.amp"), std::string::npos) << advice.err;

  const auto cured = record("--policy fix.amp", script("attention_overflow.py"));
  EXPECT_EQ(cured.out.rfind("trained", 0), 0u) << cured.out;
  EXPECT_EQ(recorded().overflow_events, 0);
  EXPECT_EQ(recorded().skipped_steps, 0);
  EXPECT_EQ(recorded().reduced_type, DType::Half) << "the rest stays as it was";
}

TEST_F(OwnAutocast, IsCuredByTheCodeAsItIsPrinted) {
  record_failing();
  const auto code = run(ampprof() + " advise r.ampprof --code torch");
  std::ifstream file(script("attention_overflow.py"));
  std::string program((std::istreambuf_iterator<char>(file)), {});
  const std::string mark = "# code\n";
  program.replace(program.find(mark), mark.size(), code.out);
  std::ofstream(folder() / "cured.py") << program;
  const auto cured = run(python() + " cured.py");
  EXPECT_EQ(cured.out.rfind("trained", 0), 0u) << cured.out;
}

TEST_F(OwnAutocast, SaysWhereNoRuleCounted) {
  std::ofstream(folder() / "rules.amp") << "matmul fp32\n";
  const auto plain = record("--policy rules.amp", script("train.py"));
  EXPECT_NE(run(ampprof() + " show r.ampprof missing").out.find("the policy"), std::string::npos) << plain.err;
}

TEST_F(OwnAutocast, HasCastsAndCacheHits) {
  std::ofstream(folder() / "blocks.py") << R"(
import torch
torch.manual_seed(0)
net, x = torch.nn.Linear(6, 3), torch.randn(4, 6)
for _ in range(5):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        net(x)
        net(x)
)";
  record("", "blocks.py");
  CastRecord casts;
  for (const queries::CastRow& row : queries::casts(queries::Report(folder() / "r.ampprof"))) {
    EXPECT_EQ(row.op, "linear");
    EXPECT_EQ(row.total.to, DType::BFloat16);
    casts.casts += row.total.casts;
    casts.cache_hits += row.total.cache_hits;
    casts.bytes += row.total.bytes;
  }
  EXPECT_EQ(casts.casts, 30) << "batch, weight and bias of ten calls";
  EXPECT_EQ(casts.cache_hits, 10) << "weight and bias of every second one";
  EXPECT_EQ(casts.bytes, 2 * (10 * 4 * 6 + 5 * 3 * 6 + 5 * 3));
}

}  // namespace own_autocast_test
}  // namespace ampprof::testing
