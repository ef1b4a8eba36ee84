// SPDX-License-Identifier: Apache-2.0
// Runs the samples as a user does. The runs are short and have one thread; the demo runs the samples at full length.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "tests/repetitions.h"

namespace samples_test {

namespace fs = std::filesystem;

fs::path bin() { return fs::read_symlink("/proc/self/exe").parent_path(); }

struct Outcome {
  int exit_code = 0;
  std::string output;  ///< stdout
};

Outcome run(const std::string& command) {
  Outcome outcome;
  FILE* pipe = popen((AMPPROF_TEST_BOUND "/" + command).c_str(), "r");
  std::array<char, 4096> buffer{};
  for (std::size_t got = 0; (got = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
    outcome.output.append(buffer.data(), got);
  }
  outcome.exit_code = WEXITSTATUS(pclose(pipe));
  return outcome;
}

/// A temporary file, removed when the test ends.
struct TemporaryFile {
  explicit TemporaryFile(const std::string& name)
      : path(fs::temp_directory_path() / ("ampprof-" + std::to_string(getpid()) + "-" + name)) {}
  ~TemporaryFile() { fs::remove(path); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  std::string content() const {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
  }

  fs::path path;
};

TEST(Samples, TheListNamesProgramsAndTheirStepsAsTheyAre) {
  std::ifstream file(bin().parent_path() / "share" / "ampprof" / "samples.json");
  const auto list = nlohmann::json::parse(file);
  EXPECT_EQ(list.size(), 8U);
  for (const auto& sample : list) {
    EXPECT_FALSE(sample.at("about").get<std::string>().empty());
    const auto outcome = run(sample.at("program").get<std::string>() + " --count-steps");
    EXPECT_EQ(outcome.output, std::to_string(sample.at("steps").get<int>()) + "\n") << sample.at("name");
  }
}

struct Case {
  const char* name;
  const char* arguments;
  bool is_repetition = false;
};

void PrintTo(const Case& each, std::ostream* out) { *out << each.arguments; }

class EverySample : public testing::TestWithParam<Case> {};

TEST_P(EverySample, TheSameSeedGivesTheSameBytes) {
  if (GetParam().is_repetition) AMPPROF_REPETITION();
  const TemporaryFile first("first");
  const TemporaryFile second("second");
  const std::string command = std::string(GetParam().arguments) + " --threads 1 --device cpu --save ";
  const auto one = run(command + first.path.string());
  const auto two = run(command + second.path.string());
  EXPECT_EQ(one.exit_code, 0);
  EXPECT_EQ(one.output, two.output);
  EXPECT_FALSE(first.content().empty());
  EXPECT_TRUE(first.content() == second.content()) << "saved states differ";
}

INSTANTIATE_TEST_SUITE_P(
    Samples, EverySample,
    testing::Values(Case{"mlp_o2", "sample_mlp --opt-level O2 --steps 5"},
                    Case{"mnist_cnn_o1", "sample_mnist_cnn --opt-level O1 --steps 5"},
                    Case{"dcgan_o1", "sample_dcgan --opt-level O1 --steps 3", /*is_repetition=*/true},
                    Case{"dcgan_o3_with_nan", "sample_dcgan --opt-level O3 --steps 4"},
                    Case{"resnet18_o2", "sample_resnet18 --opt-level O2 --steps 1 --batch-size 8"},
                    Case{"segmentation_o1", "sample_segmentation --steps 3 --batch-size 8"},
                    Case{"transformer_o1", "sample_transformer --steps 3 --batch-size 8", /*is_repetition=*/true},
                    Case{"transformer_o3", "sample_transformer --opt-level O3 --steps 3 --batch-size 8"},
                    Case{"char_lstm_o1", "sample_char_lstm --steps 3 --batch-size 9", /*is_repetition=*/true},
                    Case{"char_lstm_o2", "sample_char_lstm --opt-level O2 --steps 3 --batch-size 9"},
                    Case{"deep_sum_o1", "sample_deep_sum --steps 3 --batch-size 8"}),
    [](const auto& info) { return info.param.name; });

TEST(Samples, APoisonedStepIsSkippedAndChangesNoWeight) {
  for (const char* level : {"O1", "O2"}) {
    const TemporaryFile before("before");
    const TemporaryFile after("after");
    const std::string command = std::string("sample_mlp --threads 1 --device cpu --opt-level ") + level;
    run(command + " --steps 4 --save " + before.path.string());
    const auto poisoned = run(command + " --steps 5 --poison-step 5 --save " + after.path.string());
    EXPECT_EQ(poisoned.exit_code, 0);
    EXPECT_NE(poisoned.output.find("Gradient overflow.  Skipping step, loss scaler 0"), std::string::npos);
    // Dropout in the fifth step changes the random state, which is stored at the end of the file.
    const auto weights = [](const TemporaryFile& file) { return file.content().substr(0, 400000); };
    EXPECT_TRUE(weights(before) == weights(after)) << level;
  }
}

TEST(Samples, O0IsBitIdenticalToAProgramWithoutAmp) {
  for (const std::string& program : ampprof::test_support::with_repetitions<std::string>(
           {"sample_mnist_cnn", "sample_dcgan", "sample_char_lstm"}, {"sample_mlp", "sample_transformer"})) {
    const TemporaryFile with("with");
    const TemporaryFile without("without");
    const std::string command = program + " --threads 1 --device cpu --steps 4 --save ";
    run(command + with.path.string() + " --opt-level O0");
    run(command + without.path.string() + " --no-amp");
    EXPECT_GT(without.content().size(), 1000u) << program;
    EXPECT_TRUE(with.content() == without.content()) << program;
  }
}

class Truth : public testing::TestWithParam<const char*> {
 protected:
  static std::string line_of(const std::string& options) {
    const auto outcome =
        run("sample_" + std::string(GetParam()) + " --threads 1 --device cpu --batch-size 4 " + options);
    EXPECT_EQ(outcome.exit_code, 0);
    const auto at = outcome.output.find("truth step ");
    return at == std::string::npos ? "" : outcome.output.substr(at, outcome.output.find('\n', at) - at);
  }
};

bool is_repetition(const std::string& sample) { return sample == "resnet18" || sample == "segmentation"; }

TEST_P(Truth, IsTheSameAtEachLevelThatStartsFromTheSameWeights) {
  if (is_repetition(GetParam())) AMPPROF_REPETITION();
  const std::string truth = line_of("--opt-level O0 --steps 1 --truth-step 1");
  double loss64 = 0, loss32 = 0;
  ASSERT_EQ(std::sscanf(truth.c_str(), "truth step 1 loss64 %lf loss32 %lf", &loss64, &loss32), 2) << truth;
  EXPECT_NE(loss64, loss32) << "computed in another type";
  EXPECT_NEAR(loss64, loss32, 1e-5 * loss64);
  EXPECT_EQ(line_of("--opt-level O1 --steps 1 --truth-step 1"), truth) << "no casts";
  EXPECT_EQ(line_of("--opt-level O2 --steps 1 --truth-step 1"), truth) << "masters, not half weights";
  EXPECT_NE(line_of("--opt-level O3 --steps 1 --truth-step 1"), truth) << "there are only half weights";
}

TEST_P(Truth, ChangesNothing) {
  if (is_repetition(GetParam())) AMPPROF_REPETITION();
  for (const char* level : {"O1", "O2"}) {
    const TemporaryFile with("with");
    const TemporaryFile without("without");
    const std::string options = std::string("--steps 3 --opt-level ") + level;
    EXPECT_NE(line_of(options + " --truth-step 2 --save " + with.path.string()), "");
    EXPECT_EQ(line_of(options + " --save " + without.path.string()), "");
    EXPECT_TRUE(with.content() == without.content()) << level;
  }
}

INSTANTIATE_TEST_SUITE_P(Samples, Truth, testing::Values("mnist_cnn", "resnet18", "segmentation", "transformer"));

TEST(Samples, HoldTheWeightsOfAFile) {
  for (const std::string& program : ampprof::test_support::with_repetitions<std::string>(
           {"sample_char_lstm", "sample_mnist_cnn"}, {"sample_resnet18", "sample_transformer"})) {
    const TemporaryFile trained("trained");
    const TemporaryFile held("held");
    const std::string command = program + " --threads 1 --device cpu --batch-size 4 --steps 2";
    EXPECT_EQ(run(command + " --save-weights " + trained.path.string()).exit_code, 0);
    run(command + " --seed 9 --hold-weights " + trained.path.string() + " --save-weights " + held.path.string());
    EXPECT_FALSE(trained.content().empty());
    EXPECT_TRUE(held.content() == trained.content()) << program;
  }
}

TEST(Samples, DitherHeldWeightsDifferentlyInEachStep) {
  const TemporaryFile trained("trained");
  const std::string command = "sample_mnist_cnn --threads 1 --device cpu --batch-size 4 --steps ";
  run(command + "2 --save-weights " + trained.path.string());
  const auto weights_after = [&](const std::string& steps) {
    const TemporaryFile held("held");
    run(command + steps + " --dither-weights --hold-weights " + trained.path.string() + " --save-weights " +
        held.path.string());
    return held.content();
  };
  const std::string one = weights_after("1");
  EXPECT_EQ(one.size(), trained.content().size());
  EXPECT_FALSE(one == trained.content());
  EXPECT_TRUE(one == weights_after("1"));
  EXPECT_FALSE(one == weights_after("2"));
}

TEST(Samples, DigitsAreLearnedAtEveryLevel) {
  for (const char* level : {"O0", "O1", "O2"}) {
    const auto outcome = run(std::string("sample_mlp --threads 1 --device cpu --opt-level ") + level);
    const auto at = outcome.output.find("test accuracy ");
    ASSERT_NE(at, std::string::npos) << outcome.output;
    EXPECT_GT(std::stod(outcome.output.substr(at + 14)), 90.0) << level;
  }
}

TEST(Samples, SegmentationOverflowsInEachStepAtO1UnlessItsLossIsFp32) {
  const auto skipped = [](const std::string& options) {
    const auto outcome = run("sample_segmentation --threads 1 --device cpu --steps 3 " + options);
    EXPECT_EQ(outcome.exit_code, 0);
    int count = 0;
    for (auto at = outcome.output.find("Skipping step"); at != std::string::npos;
         at = outcome.output.find("Skipping step", at + 1)) {
      ++count;
    }
    return count;
  };
  EXPECT_EQ(skipped("--opt-level O1"), 3);
  EXPECT_EQ(skipped("--opt-level O1 --fp32-loss"), 0);
  EXPECT_EQ(skipped("--opt-level O2"), 0);
}

TEST(Samples, AWrongLevelIsASentenceAndExitCodeOne) {
  const auto outcome = run("sample_mlp --opt-level O7 2>&1");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.output.find("Unexpected optimization level \"O7\""), std::string::npos) << outcome.output;
}

}  // namespace samples_test
