// SPDX-License-Identifier: Apache-2.0
// Runs programs that use a GPU on the fake CUDA runtime (tests/fake_cuda), with the real CUDA part of LibTorch.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "reports/queries/gpu_activities.h"
#include "reports/queries/losses.h"
#include "reports/queries/missing.h"
#include "reports/queries/ops.h"
#include "reports/queries/report.h"
#include "reports/queries/runs.h"
#include "tests/end_to_end/command.h"
#include "tests/repetitions.h"

namespace ampprof::testing {
namespace cuda_test {

using test_support::with_repetitions;

const std::string kExactTraining = "exact_train.py cuda half";

/// Returns a shell line that runs `line` on the fake CUDA runtime.
std::string on_stand_in(const std::string& line, const std::string& variables) {
  return "LD_LIBRARY_PATH='" AMPPROF_TEST_FAKE_CUDA "' LD_PRELOAD='" AMPPROF_TEST_FAKE_CUDART "' " + variables + line;
}

class Cuda : public ::testing::Test {
 protected:
  void SetUp() override {
    if (python().empty()) GTEST_SKIP() << "no Python beside this LibTorch";
  }

  CommandResult run(const std::string& line, const std::string& variables = "") {
    return run_command(on_stand_in(line, variables), folder_.path());
  }
  CommandResult plain(const std::string& name, const std::string& variables = "") {
    return run(python() + " " + script(name), variables);
  }
  CommandResult recorded(const std::string& options, const std::string& name, const std::string& variables = "") {
    return run(ampprof() + " run --force -o r.ampprof " + options + " -- " + python() + " " + script(name), variables);
  }
  queries::Report report() const { return queries::Report(folder_.path() / "r.ampprof"); }

  std::filesystem::path folder() const { return folder_.path(); }

  nlohmann::json json_of(const std::string& name) const {
    std::ifstream file(folder_.path() / name);
    return nlohmann::json::parse(file);
  }

 private:
  TemporaryFolder folder_;
};

// The GradScaler waits for the device once a step, to check for overflows. The step's statistics arrive with this wait.
// If a step has NaN or inf, ampprof also looks for the first call with such an input. With --what-if, every step
// overflows at the assumed scale. SampleOnCuda counts the waits in steps without overflow.
TEST_F(Cuda, ProgramEndsAsItDoesAloneAndIsWaitedForOnceAStepAtMost) {
  const std::string counts = "COUNTS=counts.json ";
  const CommandResult alone = plain("cuda_train.py", counts);
  ASSERT_EQ(alone.exit_code, 0) << alone.err;
  const nlohmann::json own = json_of("counts.json");
  ASSERT_EQ(own.at("synchronizations"), 10) << "of ten steps";
  const auto modes = with_repetitions<std::pair<std::string, int>>(
      {{"", 1}, {"--inherited --impact", 1}, {"--what-if fp16", 2}}, {{"--reference off", 1},
                                                                      {"--impact", 1},
                                                                      {"--inherited", 1},
                                                                      {"--sketch", 1},
                                                                      {"--what-if fp16 --assume-scale 1", 1}});
  for (const auto& [options, most] : modes) {
    const CommandResult watched = recorded(options, "cuda_train.py", counts);
    EXPECT_EQ(watched.exit_code, 0) << options << ": " << watched.err;
    EXPECT_EQ(watched.out, alone.out) << options;
    EXPECT_EQ(queries::runs(report()).at(0).device, "cuda");
    EXPECT_EQ(queries::losses(report()).size(), 14u) << options << ": the last one is read as the program ends";
    const nlohmann::json all = json_of("counts.json");
    const auto added = [&](const char* name) { return all.at(name).get<int>() - own.at(name).get<int>(); };
    EXPECT_LE(added("synchronizations"), 10 * most) << options;
    EXPECT_LE(added("copies to the host"), 10 * most) << options;
    EXPECT_EQ(added("device allocations"), 0) << options;
  }
}

// Stochastic rounding is left out: random numbers depend on the order of calls, so those of the second layer differ.
TEST_F(Cuda, RecipesRoundThereAsOnTheCpuAndWaitForNothing) {
  const std::string plain_layer = plain("cuda_recipe.py").out;
  EXPECT_EQ(plain_layer, "[True, True, True, True] 0\n");
  for (const std::string& recipe :
       with_repetitions<std::string>({"fp8_delayed", "nvfp4,nearest"}, {"fp8_current", "mxfp8"})) {
    const CommandResult found = recorded("--reference off --recipe " + recipe, "cuda_recipe.py");
    EXPECT_EQ(found.exit_code, 0) << found.err;
    EXPECT_EQ(found.out, plain_layer) << recipe << ": " << found.err;
  }
}

/// Returns a count summed over all processes that used the device.
long counted(const std::filesystem::path& folder, const std::string& counts, const std::string& what) {
  long all = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().stem() != counts) continue;
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) {
      if (line.ends_with("\t" + what)) all += std::stol(line);
    }
  }
  return all;
}

struct SampleCase {
  const char* program;
  const char* level;
  std::vector<const char*> modes;
};

/// Counts the waits and copies in the steps of a sample.
class SampleOnCuda : public Cuda, public ::testing::WithParamInterface<SampleCase> {
 protected:
  static constexpr long kSteps = 4;

  struct Asked {
    long synchronizations;
    long copies_to_the_host;
  };

  /// Runs the sample twice, the second time with kSteps more steps. Returns the difference of the counts. All values on
  /// the device are zero, so no step overflows.
  Asked in_steps(const std::string& name, const std::string& before) {
    const long few = 2;
    const long many = few + kSteps;
    for (const long steps : {few, many}) {
      const CommandResult result =
          run(before + program(GetParam().program) + " --device cuda --opt-level " + GetParam().level + " --steps " +
                  std::to_string(steps),
              "FAKE_CUDA_TWINS=none OMP_NUM_THREADS=1 FAKE_CUDA_COUNTS=" + name + std::to_string(steps) + " ");
      EXPECT_EQ(result.exit_code, 0) << result.err;
    }
    const auto by_more = [&](const char* what) {
      return counted(folder(), name + std::to_string(many), what) - counted(folder(), name + std::to_string(few), what);
    };
    return {by_more("synchronizations"), by_more("copies to the host")};
  }
};

INSTANTIATE_TEST_SUITE_P(
    Samples, SampleOnCuda,
    ::testing::ValuesIn(with_repetitions<SampleCase>(
        {{"sample_transformer", "O2", {"--inherited --impact --sketch", "--what-if fp16"}}},
        {{"sample_transformer", "O2", {"--reference off", ""}},
         {"sample_mlp", "O1", {"--reference off", "", "--inherited --impact --sketch", "--what-if fp16"}},
         {"sample_mlp", "O0", {""}}})));

TEST_P(SampleOnCuda, IsWaitedForOnceAStepAtMost) {
  // The first step may take so long that its statistics arrive only at the end, where ampprof waits once more.
  constexpr long kOfFirstStep = 1;
  const Asked alone = in_steps("alone", "");
  for (const std::string mode : GetParam().modes) {
    const Asked watched =
        in_steps("watched_" + std::to_string(mode.size()) + "_", ampprof() + " run --force " + mode + " -- ");
    EXPECT_LE(watched.synchronizations, alone.synchronizations + kSteps + kOfFirstStep) << mode;
    EXPECT_LE(watched.copies_to_the_host, alone.copies_to_the_host + kSteps + kOfFirstStep) << mode;
  }
}

TEST_F(Cuda, FeaturesThatAreEasilyDisturbedStillWork) {
  const std::string two = "FAKE_CUDA_DEVICES=2 ";
  const std::string program =
      "cuda_hazards.py capture side_stream two_devices landing inference own_profiler generators";
  const CommandResult alone = plain(program, two);
  ASSERT_EQ(alone.exit_code, 0) << alone.err;
  const CommandResult watched = recorded("--inherited --impact --sketch", program, two);
  EXPECT_EQ(watched.exit_code, 0) << watched.err;
  EXPECT_EQ(watched.out, alone.out);
  for (const queries::MissingRow& row : queries::missing(report())) {
    EXPECT_NE(row.missing.what, "what ampprof failed to look at") << row.missing.cause;
  }
}

// The previous test also records a graph, with a shadow.
TEST_F(Cuda, GraphsHaveNoNodesOfItsOwn) {
  const CommandResult alone = plain("cuda_hazards.py capture");
  ASSERT_EQ(alone.exit_code, 0) << alone.err;
  for (const std::string& options : with_repetitions<std::string>(
           {"--what-if mxfp8 --impact", "--screen mxfp8", "--every 2"},
           {"--reference off", "", "--reference fp64", "--inherited --impact --sketch", "--what-if fp16 --impact"})) {
    const CommandResult watched = recorded(options, "cuda_hazards.py capture");
    EXPECT_EQ(watched.exit_code, 0) << options << ": " << watched.err;
    EXPECT_EQ(watched.out, alone.out) << options;
  }
}

TEST_F(Cuda, SaysThatCuptiRecordsNothing) {
  const std::string silent = "AMPPROF_CUPTI='" AMPPROF_TEST_CUPTI "' FAKE_CUPTI=true_launches,silent ";
  ASSERT_EQ(recorded("", kExactTraining, silent).exit_code, 0);
  const auto rows = queries::missing(report());
  EXPECT_EQ(std::ranges::count(rows, "CUPTI allowed the recording, but delivered no records",
                               [](const queries::MissingRow& row) { return row.missing.cause; }),
            1);
}

TEST_F(Cuda, InferenceWithoutStepsNeedsBoundedMemory) {
  const CommandResult watched = recorded("--sketch", "cuda_hazards.py long_inference", "FAKE_CUDA_TWINS=torch ");
  EXPECT_EQ(watched.exit_code, 0) << watched.err;
  EXPECT_EQ(watched.out, "2.0 True\n") << "more than 4,096 calls wait";
  std::int64_t calls = 0;
  for (const queries::OpRow& op : queries::ops(report())) calls += op.op == "mul.Tensor" && op.ranges ? op.calls : 0;
  EXPECT_EQ(calls, 100000);
}

TEST_F(Cuda, FullDeviceGetsNoFuller) {
  const std::string small = "FAKE_CUDA_MEMORY=268435456 ";
  const CommandResult alone = plain("cuda_hazards.py full", small);
  ASSERT_EQ(alone.exit_code, 0) << alone.err;
  for (const std::string& options :
       with_repetitions<std::string>({"--inherited --impact --sketch"}, {"", "--what-if fp16"})) {
    const CommandResult watched = recorded(options, "cuda_hazards.py full", small);
    EXPECT_EQ(watched.exit_code, 0) << watched.err;
    EXPECT_EQ(watched.out, alone.out) << options;
    std::int64_t said = 0;
    for (const queries::MissingRow& row : queries::missing(report())) {
      if (row.missing.cause.find("too little free memory") != std::string::npos) said += row.missing.count;
    }
    EXPECT_GT(said, 40) << options;
  }
}

TEST_F(Cuda, CopiesUnderWayAreNotRead) {
  const CommandResult watched = recorded("", "cuda_hazards.py landing_late", "FAKE_CUDA_LAG_US=2000 ");
  EXPECT_EQ(watched.exit_code, 0) << watched.err;
  EXPECT_EQ(watched.out, "3.0 3.0\n");
  std::int64_t copies = 0;
  for (const queries::OpRow& op : queries::ops(report())) {
    if (!op.op.starts_with("copy_") && !op.op.starts_with("to.")) continue;
    copies += op.calls;
    EXPECT_FALSE(op.ranges.has_value()) << op.op << " of " << op.ranges->reference_amax;
  }
  EXPECT_EQ(copies, 2);
  const auto rows = queries::missing(report());
  EXPECT_TRUE(std::ranges::any_of(rows, [](const queries::MissingRow& row) {
    return row.missing.count == 2 && row.missing.cause.find("asynchronous copies") != std::string::npos;
  }));
}

TEST_F(Cuda, PeakMemoryIsThatOfTheDevice) {
  for (const std::string& options : with_repetitions<std::string>({""}, {"--reference off"})) {
    const CommandResult watched = recorded(options, "cuda_hazards.py peak");
    ASSERT_EQ(watched.out, "128\n") << options << watched.err;
    EXPECT_EQ(queries::runs(report()).at(0).peak_bytes.value_or(0) >> 20, 128) << options;
  }
}

TEST_F(Cuda, DriverIsLeftToTheProgram) {
  const std::string two = "FAKE_CUDA_DEVICES=2 ";
  const CommandResult alone = plain("late_devices.py", two);
  ASSERT_EQ(alone.out, "a child finds 1\nits parent finds 1 [2.0, 2.0, 2.0]\n") << alone.err;
  const CommandResult watched = recorded("", "late_devices.py", two);
  EXPECT_EQ(watched.exit_code, 0) << watched.err;
  EXPECT_EQ(watched.out, alone.out) << watched.err;
}

TEST_F(Cuda, IsNotTheDeviceOfAProgramThatDoesNotUseIt) {
  ASSERT_EQ(recorded("", "train.py").exit_code, 0);
  EXPECT_EQ(queries::runs(report()).at(0).device, "cpu");
}

TEST_F(Cuda, LastFiguresOfAProgramThatEndsAtOnceAreThere) {
  const std::string late = program("uses_cuda_late");
  ASSERT_EQ(run(late, "FAKE_CUDA_COUNTS=alone ").exit_code, 0);
  const CommandResult watched =
      run(ampprof() + " run --force -o r.ampprof --inherited --impact -- " + late,
          "AMPPROF_CUPTI='" AMPPROF_TEST_CUPTI "' FAKE_CUPTI=true_launches FAKE_CUDA_COUNTS=watched ");
  EXPECT_EQ(watched.exit_code, 0) << watched.err;
  const std::string gone = "calls after the driver has gone";
  EXPECT_EQ(counted(folder(), "watched", gone), counted(folder(), "alone", gone));
  std::int64_t calls = 0;
  std::int64_t kernels = 0;
  for (const queries::OpRow& op : queries::ops(report())) {
    if (op.op != "mul.Scalar") continue;
    calls += op.ranges ? op.calls : 0;
    for (const queries::GpuActivityUse& use : op.activities) kernels += use.count;
  }
  EXPECT_EQ(calls, 5) << "with their figures";
  EXPECT_EQ(kernels, 5);
}

/// Returns the number of kernels that kExactTraining launches without ampprof. The program runs once.
long launches_alone() {
  static const long launches = [] {
    const TemporaryFolder folder;
    const CommandResult alone =
        run_command(on_stand_in(python() + " " + script(kExactTraining), "FAKE_CUDA_COUNTS=alone "), folder.path());
    EXPECT_EQ(alone.exit_code, 0) << alone.err;
    return counted(folder.path(), "alone", "launches");
  }();
  return launches;
}

/// ampprof's own kernels have their own names and no call site.
TEST_F(Cuda, KernelsAreOfTheOpCallsThatLaunchedThem) {
  const CommandResult watched = recorded(
      "", kExactTraining, "AMPPROF_CUPTI='" AMPPROF_TEST_CUPTI "' FAKE_CUPTI=true_launches FAKE_CUDA_COUNTS=watched ");
  ASSERT_EQ(watched.exit_code, 0) << watched.err;
  long of_ops = 0;
  long gemms = 0;
  for (const queries::GpuActivityRow& row : queries::gpu_activities(report())) {
    EXPECT_FALSE(row.use.name.starts_with("_ZN7ampprof")) << row.use.name;
    EXPECT_NE(row.call_site_id, 0) << row.use.name;
    of_ops += row.use.count;
    if (row.use.name == "gemm") gemms += row.use.count;
  }
  EXPECT_GT(of_ops, 0);
  EXPECT_EQ(of_ops, launches_alone());
  EXPECT_GT(counted(folder(), "watched", "launches"), of_ops);
  EXPECT_EQ(gemms, 6 * 5) << "of two layers' forward and backward, six steps";
  for (const queries::OpRow& op : queries::ops(report())) {
    if (op.op != "mm") continue;
    ASSERT_EQ(op.activities.size(), 1u) << op.call_site;
    EXPECT_EQ(op.activities[0].name, "gemm");
    EXPECT_EQ(op.activities[0].count, op.calls);
  }
}

/// Autograd runs ampprof's extra backward passes on its device threads, where no op call is current.
TEST_F(Cuda, KernelsOfExtraPassesAreNotThePrograms) {
  const CommandResult watched = recorded("--impact --reference fp64", kExactTraining,
                                         "AMPPROF_CUPTI='" AMPPROF_TEST_CUPTI "' FAKE_CUPTI=true_launches,true_clock ");
  ASSERT_EQ(watched.exit_code, 0) << watched.err;
  long of_ops = 0;
  for (const queries::GpuActivityRow& row : queries::gpu_activities(report())) {
    EXPECT_NE(row.call_site_id, 0) << row.use.name;
    of_ops += row.use.count;
  }
  EXPECT_EQ(of_ops, launches_alone());
}

}  // namespace cuda_test
}  // namespace ampprof::testing
