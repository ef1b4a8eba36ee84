// SPDX-License-Identifier: Apache-2.0
// Tests programs that start other programs or processes. The process that trains is recorded, even if another process
// loads LibTorch first. With a launcher, each process with a rank is recorded.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "reports/queries/missing.h"
#include "reports/queries/ops.h"
#include "reports/queries/report.h"
#include "reports/queries/runs.h"
#include "tests/end_to_end/command.h"
#include "tests/repetitions.h"

namespace ampprof::testing {
namespace launcher_test {

using test_support::with_repetitions;

class Launcher : public ::testing::Test {
 protected:
  void SetUp() override {
    if (python().empty()) GTEST_SKIP() << "no Python beside this LibTorch";
  }

  CommandResult run(const std::string& command, const std::string& options = "") {
    return run_command(ampprof() + " run --force -o r.ampprof " + options + " -- " + command, folder_.path());
  }
  queries::Report report() const { return queries::Report(folder_.path() / "r.ampprof"); }
  std::filesystem::path folder() const { return folder_.path(); }

 private:
  TemporaryFolder folder_;
};

std::string last_line(const std::string& text) {
  const auto end = text.find_last_not_of('\n');
  const auto begin = text.rfind('\n', end);
  return text.substr(begin + 1, end - begin);
}

void expect_three_steps_of_two_layers(const queries::Report& report) {
  const auto runs = queries::runs(report);
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_EQ(runs[0].steps, 3);
  EXPECT_TRUE(runs[0].complete);
  for (const char* module : {"0", "2"}) {
    const auto ops = queries::ops(report);
    EXPECT_TRUE(std::ranges::any_of(ops, [&](const queries::OpRow& op) {
      return op.module == module && op.op == "linear";
    })) << module;
  }
}

const queries::MissingRow* other_processes(const std::vector<queries::MissingRow>& missing) {
  const auto found = std::ranges::find_if(
      missing, [](const queries::MissingRow& row) { return row.missing.what == "processes that trained"; });
  return found == missing.end() ? nullptr : &*found;
}

TEST_F(Launcher, AWorkerIsRecordedAndTheOtherOneIsListed) {
  for (const std::string& method :
       with_repetitions<std::string>({"spawn", "fork --constants"}, {"fork", "forkserver"})) {
    SCOPED_TRACE(method);
    const auto result = run(python() + ' ' + script("workers.py") + ' ' + method);
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.out, "done\n");
    expect_three_steps_of_two_layers(report());
    const auto missing = queries::missing(report());
    const queries::MissingRow* others = other_processes(missing);
    ASSERT_NE(others, nullptr);
    EXPECT_EQ(others->missing.count, 1);
  }
}

TEST_F(Launcher, AParentThatTrainsIsRecordedAndItsWorkersAreListed) {
  ASSERT_EQ(run(python() + ' ' + script("workers.py") + " fork --parent-trains").exit_code, 0);
  expect_three_steps_of_two_layers(report());
  const auto missing = queries::missing(report());
  const queries::MissingRow* others = other_processes(missing);
  ASSERT_NE(others, nullptr);
  EXPECT_EQ(others->missing.count, 2);
  EXPECT_EQ(others->missing.cause,
            "Only one process of the program is recorded, here rank 0; ranks 1 and 2 trained too.");
}

TEST_F(Launcher, WorkersThatOnlyLoadDataAreNotListed) {
  ASSERT_EQ(run(python() + ' ' + script("train.py") + " --workers 2 --start-method spawn").exit_code, 0);
  EXPECT_EQ(queries::runs(report())[0].steps, 4);
  EXPECT_TRUE(queries::runs(report())[0].complete);
  const auto missing = queries::missing(report());
  EXPECT_EQ(other_processes(missing), nullptr);
}

std::string torchrun(int ranks, const std::string& words) {
  return python() + " -m torch.distributed.run --nproc-per-node " + std::to_string(ranks) + ' ' + words;
}

/// Returns a shell line that starts ranks with torchrun's variables, but faster than torchrun.
std::string on_ranks(int ranks, const std::string& words) {
  return "bash " + script("on_ranks.sh") + ' ' + std::to_string(ranks) + ' ' + python() + ' ' + words;
}

/// Returns the number of files in a folder whose names begin like that of a report or a rank's report.
std::ptrdiff_t reports_in(const std::filesystem::path& folder) {
  return std::ranges::count_if(std::filesystem::directory_iterator(folder),
                               [](const auto& entry) { return entry.path().filename().string().starts_with("r"); });
}

/// The output of loading_ranks.py, and the weights that it wrote. Removes the files of weights from its folder.
struct TrainedRanks {
  TrainedRanks(CommandResult ended, const std::filesystem::path& folder) : result(std::move(ended)) {
    for (const char* name : {"weights0.pt", "weights1.pt"}) {
      weights.push_back(bytes_of(folder / name));
      std::filesystem::remove(folder / name);
    }
  }

  CommandResult result;
  std::vector<std::string> weights;
};

/// Returns the result of loading_ranks.py without ampprof. The program runs once.
const TrainedRanks& trained_alone() {
  static const TrainedRanks alone = [] {
    const TemporaryFolder folder;
    return TrainedRanks(run_command(torchrun(2, script("loading_ranks.py")), folder.path()), folder.path());
  }();
  return alone;
}

void expect_trained_as_alone(const TrainedRanks& watched) {
  const TrainedRanks& alone = trained_alone();
  ASSERT_EQ(alone.result.exit_code, 0) << alone.result.err;
  ASSERT_FALSE(alone.weights[1].empty());
  ASSERT_EQ(watched.result.exit_code, 0) << watched.result.err;
  EXPECT_EQ(watched.result.out, alone.result.out);
  EXPECT_EQ(watched.weights, alone.weights);
}

void expect_three_steps_of_each_rank(const std::vector<queries::RunRow>& runs, std::int64_t ranks) {
  ASSERT_EQ(std::ssize(runs), ranks);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    EXPECT_EQ(runs[i].rank, static_cast<std::int64_t>(i));
    EXPECT_EQ(runs[i].world_size, ranks);
    EXPECT_EQ(runs[i].steps, 3);
    EXPECT_TRUE(runs[i].complete);
    EXPECT_NE(runs[i].ended_ns, std::nullopt);
  }
}

TEST_F(Launcher, EachWorkerOfTorchrunIsRecorded) {
  const TrainedRanks around(run(torchrun(2, script("loading_ranks.py"))), folder());
  ASSERT_NO_FATAL_FAILURE(expect_trained_as_alone(around));
  EXPECT_NE(around.result.err.find("1 run of 2 ranks in r.ampprof"), std::string::npos) << around.result.err;
  expect_three_steps_of_each_rank(queries::runs(report()), 2);
  const auto missing = queries::missing(report());
  EXPECT_EQ(other_processes(missing), nullptr) << "data loaders train nothing";
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder()), {}), 1) << "the reports of ranks are gone";
}

// Skipped by default: RankPlants also starts one ampprof for each rank.
TEST_F(Launcher, EachWorkerOfTorchrunIsRecordedByAnAmpprofOfItsOwn) {
  AMPPROF_REPETITION();
  const std::string recorded = ampprof() + " run -o i%r.ampprof -- " + python() + ' ' + script("loading_ranks.py");
  const TrainedRanks inside(run_command(torchrun(2, "--no-python " + recorded), folder()), folder());
  ASSERT_NO_FATAL_FAILURE(expect_trained_as_alone(inside));
  std::vector<queries::RunRow> runs;
  for (const char* name : {"i0.ampprof", "i1.ampprof"}) {
    for (queries::RunRow& each : queries::runs(queries::Report(folder() / name))) runs.push_back(std::move(each));
  }
  expect_three_steps_of_each_rank(runs, 2);
}

TEST_F(Launcher, ARankThatIsKilledIsTheOneThatDiedFirst) {
  const auto result = run(torchrun(2, script("loading_ranks.py") + " --kill 1"));
  EXPECT_EQ(result.exit_code, 3) << result.err;
  const auto runs = queries::runs(report());
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[1].rank, 1);
  EXPECT_EQ(runs[1].exit_code, 137);
  EXPECT_FALSE(runs[1].complete);
  const auto shown = run_command(ampprof() + " show r.ampprof ranks", folder());
  EXPECT_NE((shown.out + shown.err).find("Rank 1 died first: signal SIGKILL (Killed)"), std::string::npos) << shown.out;
}

TEST_F(Launcher, RanksThatDoNothingAreAnErrorInTheLastLine) {
  const auto result = run(torchrun(2, script("loading_ranks.py") + " --idle"));
  EXPECT_EQ(result.exit_code, 2) << result.err;
  EXPECT_NE(last_line(result.err).find("nothing was recorded: "), std::string::npos) << result.err;
  for (const queries::RunRow& each : queries::runs(report())) EXPECT_EQ(each.op_calls, 0);
  EXPECT_EQ(queries::missing(report()).size(), 1u);
}

TEST_F(Launcher, RanksThatWereNamedAreRecordedAndBecomeOneReport) {
  const auto result = run(on_ranks(3, script("workers.py") + " rank"), "--record-ranks 0,2:8:2");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto runs = queries::runs(report());
  ASSERT_EQ(runs.size(), 2u);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    EXPECT_EQ(runs[i].rank, static_cast<std::int64_t>(2 * i));
    EXPECT_EQ(runs[i].world_size, 3);
    EXPECT_EQ(runs[i].steps, 3);
    EXPECT_TRUE(runs[i].complete);
  }
  const auto missing = queries::missing(report());
  EXPECT_EQ(other_processes(missing), nullptr) << "rank 1 loads nothing, so it says nothing";
  EXPECT_EQ(reports_in(folder()), 1) << "the reports of ranks are gone";
}

TEST_F(Launcher, RanksThatThereAreNotAreAnError) {
  const auto result = run(on_ranks(2, script("workers.py") + " rank"), "--record-ranks 7");
  EXPECT_EQ(result.exit_code, 2) << result.err;
  EXPECT_NE(last_line(result.err).find("with a rank in --record-ranks"), std::string::npos) << result.err;
}

TEST_F(Launcher, AProgramBehindOthersIsRecorded) {
  std::ofstream(folder() / "run.sh") << "export PYTHONPATH=/nowhere\n" << python() << " \"$@\"\n";
  const std::string training = python() + ' ' + script("train.py");
  for (const std::string& command : with_repetitions<std::string>(
           {"bash run.sh " + script("train.py"), python() + " -I " + script("train.py")}, {"env A=1 " + training})) {
    SCOPED_TRACE(command);
    const auto result = run(command);
    ASSERT_EQ(result.exit_code, 0) << result.err;
    const auto ops = queries::ops(report());
    EXPECT_EQ(queries::runs(report())[0].steps, 4);
    EXPECT_TRUE(
        std::ranges::any_of(ops, [](const queries::OpRow& op) { return op.module == "conv" && op.op == "conv2d"; }));
  }
}

TEST_F(Launcher, NamesAndPathsOfPythonStayAsTheyAre) {
  const std::string code =
      "'import torch, sys, os; print(sorted(n for n in globals() if not n.startswith(\"__\")), sys.path[1:], "
      "os.environ.get(\"PYTHONPATH\")); torch.ones(2)'";
  const auto plain = run_command(python() + " -c " + code, folder());
  EXPECT_EQ(run(python() + " -c " + code).out, plain.out);
}

TEST(OpenedTorch, IsNoticedWhereAProgramOpensItAtRunTime) {
  const TemporaryFolder folder;
  const auto result = run_command(
      ampprof() + " run -o r.ampprof -- " + program("opens_torch") + ' ' + AMPPROF_TEST_PLUGIN, folder.path());
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "done\n");
  const queries::Report report(folder.path() / "r.ampprof");
  EXPECT_EQ(queries::runs(report)[0].steps, 3);
  EXPECT_TRUE(queries::runs(report)[0].complete);
}

struct Silent {
  const char* name;
  std::string command;
  const char* reason;
};

void PrintTo(const Silent& silent, std::ostream* out) { *out << silent.name; }

class SilentProgram : public ::testing::TestWithParam<Silent> {};

TEST_P(SilentProgram, EndsWithTheReasonInItsLastLine) {
  const TemporaryFolder folder;
  const auto result = run_command(ampprof() + " run -o r.ampprof -- " + GetParam().command, folder.path());
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(last_line(result.err).rfind("ampprof: nothing was recorded: ", 0), 0u) << result.err;
  EXPECT_NE(last_line(result.err).find(GetParam().reason), std::string::npos) << result.err;
  EXPECT_EQ(queries::missing(queries::Report(folder.path() / "r.ampprof")).size(), 1u);
}

INSTANTIATE_TEST_SUITE_P(Run, SilentProgram,
                         ::testing::Values(Silent{"no_torch", "/bin/true", "No process of the program loaded LibTorch"},
                                           Silent{"no_op", python() + " -c 'import torch'", "called no op"},
                                           Silent{"cleared", "env -i " + python() + " -c 'import torch; torch.ones(1)'",
                                                  "clears LD_PRELOAD"}),
                         [](const auto& info) { return info.param.name; });

}  // namespace launcher_test
}  // namespace ampprof::testing
