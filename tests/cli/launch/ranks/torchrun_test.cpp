// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/ranks/torchrun.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "reports/text/usage_error.h"
#include "tests/temporary_folder.h"

namespace ampprof::cli {
namespace torchrun_test {

/// Makes stand-ins for Python that print where torch is.
class Torchrun : public ::testing::Test {
 protected:
  std::filesystem::path interpreter(const std::string& name, const std::string& torch) {
    const auto path = folder_.path() / name;
    create_directories(path.parent_path());
    std::ofstream(path) << "#!/bin/sh\necho '" << torch << "'\n";
    permissions(path, std::filesystem::perms::owner_all);
    return path;
  }
  std::filesystem::path folder() const { return folder_.path(); }

 private:
  test_support::TemporaryFolder folder_;
};

TEST_F(Torchrun, StartsTheProgramWithItsArguments) {
  const auto python = interpreter("env/bin/python", "/env/torch");
  Program program{.executable = "/bin/train", .arguments = {"./train", "--steps", "5"}};
  program.torch_lib = folder() / "env/lib/python3.11/site-packages/torch/lib";
  const Program started = on_ranks(program, 4);
  EXPECT_EQ(started.executable, python);
  EXPECT_EQ(started.arguments,
            (std::vector<std::string>{python.string(), "-m", "torch.distributed.run", "--standalone",
                                      "--nproc-per-node", "4", "--no-python", "/bin/train", "--steps", "5"}));
}

TEST_F(Torchrun, IsThatOfTheProgramsOwnPython) {
  const auto python = interpreter("mine/python3", "/mine/torch");
  const Program started =
      on_ranks({.kind = ProgramKind::Python, .executable = python, .arguments = {"python3", "train.py"}}, 2);
  EXPECT_EQ(started.executable, python);
  EXPECT_EQ(started.arguments.back(), "train.py");
}

TEST_F(Torchrun, IsRefusedWhereNoPythonHasTorch) {
  interpreter("bin/python3", "");
  const std::string before = std::getenv("PATH");
  setenv("PATH", (folder() / "bin").c_str(), 1);
  EXPECT_THROW(on_ranks({.executable = "/bin/train", .arguments = {"train"}}, 2), text::UsageError);
  setenv("PATH", before.c_str(), 1);
}

}  // namespace torchrun_test
}  // namespace ampprof::cli
