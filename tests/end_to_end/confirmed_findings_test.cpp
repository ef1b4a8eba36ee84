// SPDX-License-Identifier: Apache-2.0
// Tests the path from a finding in a report to the run that confirms its remedy.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/end_to_end/command.h"

namespace ampprof::testing {
namespace confirmed_findings_test {

nlohmann::json findings(const TemporaryFolder& folder) {
  return nlohmann::json::parse(run_command(ampprof() + " show r.ampprof findings --format json", folder.path()).out);
}

TEST(ConfirmedFindings, OfPythonKeepWhatRunsShowed) {
  if (python().empty()) GTEST_SKIP() << "no Python beside this LibTorch";
  const TemporaryFolder folder;
  const auto run = run_command(
      ampprof() + " run --impact -o r.ampprof -- " + python() + " " + script("overflows_at_first.py"), folder.path());
  ASSERT_EQ(run.exit_code, 0) << run.err;
  ASSERT_EQ(findings(folder).size(), 1u);
  ASSERT_TRUE(findings(folder)[0]["remedies"][0]["confirmed"].is_null());

  const auto advice = run_command(ampprof() + " advise r.ampprof --confirm", folder.path());
  EXPECT_EQ(advice.exit_code, 0) << advice.err;
  EXPECT_NE(advice.err.find("ampprof run --impact --remedy=init_scale="), std::string::npos)
      << "what runs is said before: " << advice.err;
  EXPECT_NE(advice.out.find("Do, confirmed: Begin with a loss scale of"), std::string::npos) << advice.out;
  const auto remedy = findings(folder)[0]["remedies"][0];
  EXPECT_EQ(remedy["confirmed"], true) << remedy;
  EXPECT_NE(remedy["confirmed_by"].get<std::string>().find("skipped steps 0 instead of 4"), std::string::npos)
      << remedy;
  EXPECT_EQ(run_command(ampprof() + " show r.ampprof runs --format json", folder.path()).out.find("\"run\": 2"),
            std::string::npos)
      << "the report keeps no run of the confirmation";
}

TEST(ConfirmedFindings, OfAmpCoreBeginWithTheSmallerScale) {
  const TemporaryFolder folder;
  const auto scale = [&](const std::string& remedy) {
    const auto run = run_command(ampprof() + " run --force -o r.ampprof --levels O1 " + remedy +
                                     " sample:mlp --steps 3 --batch-size 8 --threads 1",
                                 folder.path());
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return nlohmann::json::parse(run_command(ampprof() + " show r.ampprof runs --format json", folder.path()).out)[0]
        .at("loss_scale_final")
        .get<double>();
  };
  EXPECT_EQ(scale("--remedy init_scale=512"), 512.0);
  EXPECT_NE(scale(""), 512.0);
}

TEST(ConfirmedFindings, AreRefusedWhereARunCannotShowThem) {
  const TemporaryFolder folder;
  const auto run = run_command(ampprof() + " run -o r.ampprof --remedy eps=1e-4 sample:mlp --steps 1", folder.path());
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.err.find("init_scale=N"), std::string::npos) << run.err;
  ASSERT_EQ(run_command(ampprof() + " run -o r.ampprof --levels O1 sample:mlp --steps 2", folder.path()).exit_code, 0);
  const auto only = run_command(ampprof() + " advise r.ampprof --confirm --only eps=1", folder.path());
  EXPECT_EQ(only.exit_code, 2);
  EXPECT_NE(only.err.find("no finding has the remedy 'eps=1'"), std::string::npos) << only.err;
  EXPECT_EQ(run_command(ampprof() + " advise r.ampprof --only eps=1", folder.path()).exit_code, 2)
      << "--only goes with --confirm";
}

}  // namespace confirmed_findings_test
}  // namespace ampprof::testing
