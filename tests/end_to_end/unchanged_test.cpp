// SPDX-License-Identifier: Apache-2.0
// ampprof changes nothing that it watches: weights, buffers, RNG state, stdout and exit code, bit for bit.
#include <gtest/gtest.h>

#include <ostream>

#include "tests/end_to_end/command.h"

namespace ampprof::testing {
namespace unchanged_test {

struct Case {
  std::string sample;
  std::string level;
  std::string options;  ///< of `ampprof run`
  /// Of the sample. A poisoned step makes batch norm's statistics NaN, which hides what happens to them: few cases.
  std::string arguments{};
};

void PrintTo(const Case& value, std::ostream* out) {
  *out << value.sample << " " << value.level << " " << value.options << value.arguments;
}

std::string arguments(const Case& value, const std::string& file) {
  const std::string size = value.sample == "resnet18" ? " --steps 2 --batch-size 4" : " --steps 4 --batch-size 16";
  return " --opt-level " + value.level + size + value.arguments + " --threads 1 --save " + file;
}

class Unchanged : public ::testing::TestWithParam<Case> {};

TEST_P(Unchanged, SampleEndsInTheSameStateWithAndWithoutAmpprof) {
  const TemporaryFolder folder;
  const Case& value = GetParam();
  const auto plain = run_command(program("sample_" + value.sample) + arguments(value, "plain.pt"), folder.path());
  ASSERT_EQ(plain.exit_code, 0) << plain.err;
  const auto watched = run_command(
      ampprof() + " run -o r.ampprof " + value.options + " sample:" + value.sample + arguments(value, "watched.pt"),
      folder.path());
  ASSERT_EQ(watched.exit_code, 0) << watched.err;
  EXPECT_EQ(watched.out, plain.out);
  const std::string state = bytes_of(folder.path() / "plain.pt");
  ASSERT_GT(state.size(), 1000u);
  EXPECT_TRUE(bytes_of(folder.path() / "watched.pt") == state) << "weights, buffers or RNG state differ";
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const char* sample : {"mlp", "mnist_cnn", "dcgan", "resnet18"}) {
    for (const char* level : {"O0", "O1", "O2", "O3"}) all.push_back({sample, level, ""});
  }
  for (const char* sample : {"segmentation", "transformer", "char_lstm", "deep_sum"}) {
    for (const char* level : {"O1", "O2"}) all.push_back({sample, level, ""});
  }
  for (const char* options : {"--reference off", "--reference fp64", "--steps 2:3", "--every 2", "--no-inherited",
                              "--inherited --steps 3:3", "--inherited --every 2", "--delay 0.1", "--max-report 1k"}) {
    all.push_back({"mnist_cnn", "O1", options});
  }
  for (const char* options :
       {"--inherited --reference fp64", "--impact --reference fp64 --no-inherited", "--impact --impact-memory 100k"}) {
    all.push_back({"mnist_cnn", "O2", options});
  }
  for (const char* sample : {"mlp", "mnist_cnn", "transformer"}) {
    all.push_back({sample, "O0", "--what-if fp16 --impact"});
  }
  all.push_back({"mlp", "O0", "--what-if bf16 --assume-scale 8"});
  all.push_back({"mlp", "O0", "--every 1 --what-if fp8_delayed"});
  all.push_back({"mlp", "O0", "--every 1 --screen mxfp8,nvfp4"});
  for (const char* sample : {"mnist_cnn", "transformer"}) all.push_back({sample, "O0", "--every 2 --what-if nvfp4"});
  for (const char* level : {"O1", "O2"}) all.push_back({"mnist_cnn", level, "", " --poison-step 2"});
  return all;
}

INSTANTIATE_TEST_SUITE_P(Samples, Unchanged, ::testing::ValuesIn(cases()));

TEST(Unchanged, TheExitCodeAndErrorsOfTheProgramAreItsOwn) {
  const TemporaryFolder folder;
  const auto watched = run_command(ampprof() + " run -o r.ampprof sample:mlp --no-such-argument", folder.path());
  const auto plain = run_command(program("sample_mlp") + " --no-such-argument", folder.path());
  EXPECT_NE(plain.exit_code, 0);
  EXPECT_EQ(watched.exit_code, 3);
  EXPECT_NE(watched.err.find(plain.err), std::string::npos);
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "r.ampprof"));
}

TEST(Unchanged, AmpTurnedOffEqualsAProgramThatNeverLinkedIt) {
  const TemporaryFolder folder;
  const std::string common = program("sample_mnist_cnn") + " --steps 4 --batch-size 16 --threads 1";
  ASSERT_EQ(run_command(common + " --opt-level O0 --save off.pt", folder.path()).exit_code, 0);
  ASSERT_EQ(run_command(common + " --no-amp --save never.pt", folder.path()).exit_code, 0);
  const std::string never = bytes_of(folder.path() / "never.pt");
  ASSERT_GT(never.size(), 1000u);
  EXPECT_TRUE(bytes_of(folder.path() / "off.pt") == never);
}

TEST(Unchanged, PythonProgramWithDropoutAndBatchNorm) {
  if (python().empty()) GTEST_SKIP() << "no Python beside this LibTorch";
  const TemporaryFolder folder;
  for (const char* arguments : {"", " --amp", " --workers 2"}) {
    const std::string command = python() + " " + script("train.py") + arguments;
    const auto plain = run_command(command, folder.path());
    ASSERT_EQ(plain.exit_code, 0) << plain.err;
    for (const char* options : {"", "--reference off", "--reference fp64", "--inherited --impact --reference fp64",
                                "--what-if bf16 --impact"}) {
      const auto watched =
          run_command(ampprof() + " run --force -o r.ampprof " + options + " -- " + command, folder.path());
      ASSERT_EQ(watched.exit_code, 0) << watched.err;
      EXPECT_EQ(watched.out, plain.out) << arguments << " " << options;
    }
  }
}

}  // namespace unchanged_test
}  // namespace ampprof::testing
