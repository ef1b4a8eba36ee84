// SPDX-License-Identifier: Apache-2.0
// Tests notebooks and pytest, if LibTorch's Python has them. `make notebook-test` installs them.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "reports/queries/report.h"
#include "reports/queries/runs.h"
#include "tests/end_to_end/command.h"

namespace ampprof::testing {
namespace notebook_test {

class Notebook : public ::testing::Test {
 protected:
  CommandResult run(const std::string& words) {
    const auto modules = std::filesystem::path(ampprof()).parent_path().parent_path() / "share/ampprof/python";
    return run_command("export OMP_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=" + modules.string() +
                           ":$PYTHONPATH; " + python() + " " + words,
                       folder_.path());
  }

  bool has_module(const std::string& name) {
    return !python().empty() && run("-c 'import " + name + "'").exit_code == 0;
  }
  std::filesystem::path folder() const { return folder_.path(); }

  CommandResult run_pytest(const std::string& options) {
    return run("-m pytest -p ampprof.pytest_plugin -p no:cacheprovider --rootdir . --ampprof --ampprof-dir reports " +
               options + " " + script("checked_by_pytest.py"));
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(Notebook, RecordsReadsAndShowsAReport) {
  if (!has_module("nbclient") || !has_module("ipykernel")) GTEST_SKIP() << "no nbclient; see make notebook-test";
  const auto result = run(script("notebook.py"));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("'mul.Tensor'"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("text/html iframe"), std::string::npos) << result.out;
  const queries::RunRow row = queries::runs(queries::Report(folder() / "notebook.ampprof")).at(0);
  EXPECT_TRUE(row.complete);
}

TEST_F(Notebook, PytestWritesAReportOfEachTest) {
  if (!has_module("pytest")) GTEST_SKIP() << "no pytest; see make notebook-test";
  const auto result = run_pytest("");
  EXPECT_EQ(result.exit_code, 1) << "one of the tests fails by itself";
  EXPECT_NE(result.out.find("1 failed, 3 passed"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("3 report(s) in reports"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("overflow_held_by_fp32 at "), std::string::npos) << result.out;
  for (const auto& entry : std::filesystem::directory_iterator(folder() / "reports")) {
    const queries::RunRow row = queries::runs(queries::Report(entry.path())).at(0);
    const bool fails = entry.path().filename().string().find("test_fails") != std::string::npos;
    EXPECT_EQ(row.exit_code, fails ? 1 : 0) << entry.path();
  }
}

TEST_F(Notebook, PytestFailsATestWhoseReportBreaksARule) {
  if (!has_module("pytest")) GTEST_SKIP() << "no pytest; see make notebook-test";
  const auto result = run_pytest("--ampprof-check 'nonfinite == 0' -k 'passes or overflows'");
  EXPECT_NE(result.out.find("1 failed, 1 passed"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("nonfinite == 0"), std::string::npos) << result.out;
  const auto wrong = run_pytest("--ampprof-check 'nonsense == 0' -k passes");
  EXPECT_NE((wrong.out + wrong.err).find("nonsense"), std::string::npos) << wrong.out << wrong.err;
  EXPECT_NE(wrong.exit_code, 0);
}

}  // namespace notebook_test
}  // namespace ampprof::testing
