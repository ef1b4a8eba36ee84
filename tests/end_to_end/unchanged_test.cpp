// SPDX-License-Identifier: Apache-2.0
// Tests that ampprof changes nothing in a program: weights, buffers, RNG state, stdout and exit code, bit for bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "tests/end_to_end/command.h"
#include "tests/repetitions.h"

namespace ampprof::testing {
namespace unchanged_test {

using test_support::with_repetitions;

struct Case {
  std::string sample;
  std::string level;
  std::string options;  ///< options of `ampprof run`
  /// Arguments of the sample. A poisoned step makes batch norm's statistics NaN, which hides later changes, so few
  /// cases have one.
  std::string arguments{};

  bool operator==(const Case&) const = default;
};

void PrintTo(const Case& value, std::ostream* out) {
  *out << value.sample << " " << value.level << " " << value.options << value.arguments;
}

std::string arguments(const Case& value) {
  const std::string size = value.sample == "resnet18" ? " --steps 2 --batch-size 4" : " --steps 4 --batch-size 16";
  return " --opt-level " + value.level + size + value.arguments + " --threads 1 --save state.pt";
}

/// The output of a run and the state that the run saved.
struct Ended {
  explicit Ended(const std::string& line) {
    const TemporaryFolder folder;
    result = run_command(line, folder.path());
    state = bytes_of(folder.path() / "state.pt");
  }

  CommandResult result;
  std::string state;
};

/// Returns the result of a sample without ampprof. The sample runs once for all its cases.
const Ended& alone(const Case& value) {
  static std::map<std::string, Ended> samples;
  const std::string line = program("sample_" + value.sample) + arguments(value);
  return samples.try_emplace(line, line).first->second;
}

class Unchanged : public ::testing::TestWithParam<Case> {};

TEST_P(Unchanged, SampleEndsInTheSameStateWithAndWithoutAmpprof) {
  const Case& value = GetParam();
  const auto& [plain, state] = alone(value);
  ASSERT_EQ(plain.exit_code, 0) << plain.err;
  ASSERT_GT(state.size(), 1000u);
  const Ended watched(ampprof() + " run -o r.ampprof " + value.options + " sample:" + value.sample + arguments(value));
  ASSERT_EQ(watched.result.exit_code, 0) << watched.result.err;
  EXPECT_EQ(watched.result.out, plain.out);
  EXPECT_TRUE(watched.state == state) << "weights, buffers or RNG state differ";
}

/// Returns cases with each level and each option once, on samples with different modules.
std::vector<Case> kinds() {
  std::vector<Case> all{{"mlp", "O3", ""},         {"mnist_cnn", "O0", ""}, {"mnist_cnn", "O1", ""},
                        {"mnist_cnn", "O2", ""},   {"dcgan", "O1", ""},     {"segmentation", "O1", ""},
                        {"transformer", "O2", ""}, {"char_lstm", "O1", ""}, {"deep_sum", "O2", ""}};
  for (const char* options : {"--reference off", "--reference fp64", "--steps 2:3", "--every 2", "--no-inherited",
                              "--inherited --steps 3:3", "--inherited --every 2", "--delay 0.1", "--max-report 1k"}) {
    all.push_back({"mnist_cnn", "O1", options});
  }
  for (const char* options :
       {"--inherited --reference fp64", "--impact --reference fp64 --no-inherited", "--impact --impact-memory 100k"}) {
    all.push_back({"mnist_cnn", "O2", options});
  }
  for (const char* options : {"--what-if fp16 --impact", "--every 2 --what-if nvfp4"}) {
    all.push_back({"mnist_cnn", "O0", options});
  }
  for (const char* options :
       {"--what-if bf16 --assume-scale 8", "--every 1 --what-if fp8_delayed", "--every 1 --screen mxfp8,nvfp4"}) {
    all.push_back({"mlp", "O0", options});
  }
  for (const char* level : {"O1", "O2"}) all.push_back({"mnist_cnn", level, "", " --poison-step 2"});
  return all;
}

/// Returns cases with samples at more levels, and other samples with some of the options.
std::vector<Case> repetitions() {
  std::vector<Case> all;
  for (const char* sample : {"mlp", "mnist_cnn", "dcgan", "resnet18"}) {
    for (const char* level : {"O0", "O1", "O2", "O3"}) all.push_back({sample, level, ""});
  }
  for (const char* sample : {"segmentation", "transformer", "char_lstm", "deep_sum"}) {
    for (const char* level : {"O1", "O2"}) all.push_back({sample, level, ""});
  }
  for (const char* sample : {"mlp", "transformer"}) all.push_back({sample, "O0", "--what-if fp16 --impact"});
  all.push_back({"transformer", "O0", "--every 2 --what-if nvfp4"});
  const std::vector<Case> others = kinds();
  std::erase_if(all, [&](const Case& value) { return std::ranges::find(others, value) != others.end(); });
  return all;
}

INSTANTIATE_TEST_SUITE_P(Samples, Unchanged, ::testing::ValuesIn(with_repetitions(kinds(), repetitions())));

TEST(Unchanged, TheExitCodeAndErrorsOfTheProgramAreItsOwn) {
  const TemporaryFolder folder;
  const auto watched = run_command(ampprof() + " run -o r.ampprof sample:mlp --no-such-argument", folder.path());
  const auto plain = run_command(program("sample_mlp") + " --no-such-argument", folder.path());
  EXPECT_NE(plain.exit_code, 0);
  EXPECT_EQ(watched.exit_code, 3);
  EXPECT_NE(watched.err.find(plain.err), std::string::npos);
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "r.ampprof"));
}

struct PythonCase {
  std::string arguments;  ///< arguments of train.py
  std::string options;    ///< options of `ampprof run`

  bool operator==(const PythonCase&) const = default;
};

std::vector<PythonCase> python_repetitions(const std::vector<PythonCase>& kinds) {
  std::vector<PythonCase> all;
  for (const char* arguments : {"", " --amp", " --workers 2"}) {
    for (const char* options : {"", "--reference off", "--reference fp64", "--inherited --impact --reference fp64",
                                "--what-if bf16 --impact"}) {
      all.push_back({arguments, options});
    }
  }
  std::erase_if(all, [&](const PythonCase& value) { return std::ranges::find(kinds, value) != kinds.end(); });
  return all;
}

TEST(Unchanged, PythonProgramWithDropoutAndBatchNorm) {
  if (python().empty()) GTEST_SKIP() << "no Python beside this LibTorch";
  const std::vector<PythonCase> kinds{{"", "--what-if bf16 --impact"},
                                      {" --amp", ""},
                                      {" --amp", "--inherited --impact --reference fp64"},
                                      {" --workers 2", ""}};
  for (const auto& [arguments, options] : with_repetitions(kinds, python_repetitions(kinds))) {
    const std::string command = python() + " " + script("train.py") + arguments;
    const CommandResult& plain = run_once(command);
    ASSERT_EQ(plain.exit_code, 0) << plain.err;
    const TemporaryFolder folder;
    const auto watched = run_command(ampprof() + " run -o r.ampprof " + options + " -- " + command, folder.path());
    ASSERT_EQ(watched.exit_code, 0) << watched.err;
    EXPECT_EQ(watched.out, plain.out) << arguments << " " << options;
  }
}

}  // namespace unchanged_test
}  // namespace ampprof::testing
