// SPDX-License-Identifier: Apache-2.0
// Tests that one stub serves all versions of LibTorch: it loads the recorder for the version that the program loads.
#include <gtest/gtest.h>

#include "reports/queries/missing.h"
#include "reports/queries/report.h"
#include "tests/built_file.h"
#include "tests/end_to_end/command.h"

namespace ampprof::testing {
namespace torch_choice_test {

namespace fs = std::filesystem;

TEST(TorchChoice, TheRecorderOfTheLoadedLibTorchIsTaken) {
  const TemporaryFolder folder;
  for (const char* version : {"2.98.6", "2.98.7"}) fs::create_directories(folder.path() / "torch-" += version);
  fs::copy_file(test_support::built_file(AMPPROF_TEST_OTHER_RECORDER), folder.path() / "torch-2.98.7/libampprof.so");
  const auto result =
      run_command("LD_PRELOAD=" + test_support::built_file(AMPPROF_TEST_STUB) +
                      " AMPPROF_RECORD_LIBRARIES=. AMPPROF_RECORD_CLAIM=claim " AMPPROF_TEST_OTHER_TRAIN,
                  folder.path());
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "the recorder of 2.98.7\n");
  EXPECT_EQ(result.err, "");
}

TEST(TorchChoice, WithoutARecorderTheProgramRunsAndTheReportSaysHowToAddIt) {
  const TemporaryFolder folder;
  const auto result = run_command(
      ampprof() + " run -o r.ampprof -- sh -c '" AMPPROF_TEST_OTHER_TRAIN " && echo went on'", folder.path());
  EXPECT_EQ(result.exit_code, 2) << result.err;
  EXPECT_EQ(result.out, "went on\n");
  const auto missing = queries::missing(queries::Report(folder.path() / "r.ampprof"));
  ASSERT_FALSE(missing.empty());
  EXPECT_NE(missing[0].missing.cause.find("which is LibTorch 2.98.7, and this ampprof records"), std::string::npos)
      << missing[0].missing.cause;
  EXPECT_NE(missing[0].missing.remedy.find("make torch TORCH=2.98.7"), std::string::npos) << missing[0].missing.remedy;
}

}  // namespace torch_choice_test
}  // namespace ampprof::testing
