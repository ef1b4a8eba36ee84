// SPDX-License-Identifier: Apache-2.0
// Runs the program in a separate installation whose recorder is an empty library.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <sstream>
#include <thread>

#include "reports/queries/missing.h"
#include "reports/queries/report.h"
#include "reports/queries/runs.h"
#include "tests/cli/synthetic_report.h"
#include "tests/cli/zip_archive.h"
#include "tests/reports/sample_report.h"

namespace ampprof::cli {
namespace command_line_test {

namespace fs = std::filesystem;
using testing_reports::bytes_of;
using testing_reports::write_bytes;

/// Exit code of `ampprof run` in these tests. The recorder is an empty library, so nothing is recorded.
constexpr int kNothingRecorded = 2;

struct Outcome {
  int exit_code = -1;
  std::string out;
  std::string err;
};

class CommandLine : public testing::Test {
 protected:
  CommandLine() {
    for (const char* name : {"COLUMNS", "AMPPROF_OUTPUT", "AMPPROF_LEVELS", "AMPPROF_FORMAT"}) unsetenv(name);
    for (const char* name : {"bin", "lib/torch-2.9.1", "lib/torch-2.11.0", "share/ampprof", "work"}) {
      fs::create_directories(root() / name);
    }
    std::error_code cross_device;
    fs::create_hard_link(AMPPROF_PROGRAM, root() / "bin/ampprof", cross_device);
    if (cross_device) fs::copy_file(AMPPROF_PROGRAM, root() / "bin/ampprof");
    for (const char* name : {"torch-2.9.1/libampprof.so", "torch-2.11.0/libampprof.so", "libampprof_preload.so"}) {
      fs::copy_file(AMPPROF_EMPTY_LIBRARY, root() / "lib" / name);
    }
    setenv("LIBTORCH", torch_of("2.11.0").c_str(), 1);
    write_bytes(root() / "share/ampprof/samples.json",
                R"([{"name": "mlp", "about": "three layers", "program": "sample_mlp", "steps": 20}])");
    executable("lib/torch-2.9.1/sample_mlp", "#!/bin/sh\necho older\n");
    executable("lib/torch-2.11.0/sample_mlp", "#!/bin/sh\necho level $AMP_OPT_LEVEL, arguments $@\n");
    executable("lib/torch-2.11.0/ampprof-runner", "#!/bin/sh\necho runner \"$@\"\n");
  }

  fs::path root() const { return folder_.path(); }
  fs::path work(const std::string& name) const { return root() / "work" / name; }

  std::string executable(const std::string& name, const std::string& text) const {
    write_bytes(root() / name, text);
    fs::permissions(root() / name, fs::perms::owner_all);
    return (root() / name).string();
  }

  /// Makes a folder that looks like a LibTorch of this version. Returns the path.
  std::string torch_of(const std::string& version) const {
    const fs::path folder = root() / ("torch of " + version);
    fs::create_directories(folder);
    write_bytes(folder / "version.py", "__version__ = '" + version + "'\n");
    return folder.string();
  }

  /// Makes a stand-in for Python that prints the folder of a torch of this version.
  std::string python_with(const std::string& version) const {
    return executable("work/python3", "#!/bin/sh\necho '" + torch_of(version) + "'\n");
  }

  // Runs ampprof in a shell, in the folder work/. `before` sets environment variables or begins a pipe.
  Outcome ampprof(const std::string& arguments, const std::string& before = "") const {
    const std::string command = "cd '" + work("").string() + "' && " + before + " '" +
                                (root() / "bin/ampprof").string() + "' " + arguments + " >'" +
                                (root() / "out").string() + "' 2>'" + (root() / "err").string() + "'";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, bytes_of(root() / "out"), bytes_of(root() / "err")};
  }

  std::vector<queries::RunRow> runs_of(const std::string& report) const {
    return queries::runs(queries::Report(work(report)));
  }

  testing_reports::TemporaryFolder folder_;
};

struct Wrong {
  const char* name;
  const char* arguments;
  int exit_code;
  const char* says;
};

void PrintTo(const Wrong& wrong, std::ostream* out) { *out << wrong.name << ": " << wrong.arguments; }

class WrongUsage : public CommandLine, public testing::WithParamInterface<Wrong> {
 protected:
  WrongUsage() {
    write_synthetic_report(work("good.ampprof"));
    write_bytes(work("text.ampprof"), "no report");
    std::string damaged = bytes_of(work("good.ampprof"));
    std::fill(damaged.begin() + 100, damaged.end(), '\x5a');
    write_bytes(work("damaged.ampprof"), damaged);
    write_bytes(work("model.pt"), "no archive");
    write_bytes(work("train.py"), "print(1)\n");
    write_bytes(work("libtorch_cpu.so"), "");
  }
};

TEST_P(WrongUsage, GetsASentenceAndTheRightExitCode) {
  const Outcome outcome = ampprof(GetParam().arguments);
  EXPECT_EQ(outcome.exit_code, GetParam().exit_code) << outcome.err;
  EXPECT_NE(outcome.err.find(GetParam().says), std::string::npos) << outcome.err;
  EXPECT_TRUE(outcome.err.starts_with("ampprof: ")) << outcome.err;
  EXPECT_EQ(outcome.out, "");
}

INSTANTIATE_TEST_SUITE_P(
    CommandLine, WrongUsage,
    testing::Values(
        Wrong{"unknown_verb", "shwo", 2, "Did you mean 'show'?"},
        Wrong{"unknown_language", "advise good.ampprof --code cpq", 2, "Did you mean 'cpp'?"},
        Wrong{"advice_on_no_run", "advise good.ampprof --run 9", 2, "no run '9'"},
        Wrong{"share_beyond_all", "advise good.ampprof --target 2", 2, "--target"},
        Wrong{"policy_in_no_folder", "advise good.ampprof -o /nowhere/p.amp", 2, "Cannot write"},
        Wrong{"unknown_option", "run --bogus /bin/true", 2, "Unknown option '--bogus'. See: ampprof run --help"},
        Wrong{"misspelt_option", "run --target-gup=A100 /bin/true", 2,
              "Unknown option '--target-gup'. Did you mean '--target-gpu'?"},
        Wrong{"unknown_option_of_show", "show good.ampprof --formt json", 2,
              "Unknown option '--formt'. Did you mean '--format'?"},
        Wrong{"unexpected_argument", "show good.ampprof ops more", 2, "Unexpected argument 'more'"},
        Wrong{"unknown_what_if", "run --what-if fp61 /bin/true", 2, "Did you mean 'fp16'?"},
        Wrong{"what_if_of_reduced_precision", "run --what-if fp16 --levels O1 /bin/true", 2,
              "at O1 its ops are in reduced precision already"},
        Wrong{"what_if_with_a_shadow", "run --what-if fp16 --inherited /bin/true", 2, "Use one of them"},
        Wrong{"what_if_of_unscaled_fp8", "run --what-if fp8e4m3 /bin/true", 2, "Use fp8_current"},
        Wrong{"unknown_recipe", "run --what-if mxpf8 /bin/true", 2, "Did you mean 'mxfp8'?"},
        Wrong{"unknown_switch", "run --what-if nvfp4,mxfp7 /bin/true", 2, "neither a type nor a recipe"},
        Wrong{"recipe_twice", "run --what-if mxfp8,mxfp8 /bin/true", 2, "named twice"},
        Wrong{"recipe_file_that_is_not", "run --what-if ./no.recipe /bin/true", 2, "no.recipe"},
        Wrong{"recipe_with_a_scale", "run --what-if mxfp8 --assume-scale 8 /bin/true", 2, "has its own scales"},
        Wrong{"recipe_without_errors", "run --what-if mxfp8 --reference off /bin/true", 2, "--reference off turns off"},
        Wrong{"recipe_in_a_recipe", "run --what-if mxfp8 --recipe mxfp8 /bin/true", 2, "Use one of them"},
        Wrong{"unknown_screen", "run --screen mxpf8 /bin/true", 2, "Did you mean 'mxfp8'?"},
        Wrong{"screen_with_impact", "run --screen mxfp8 --impact /bin/true", 2, "does not measure effects on the loss"},
        Wrong{"screen_and_what_if", "run --screen mxfp8 --what-if mxfp8 /bin/true", 2, "Use one of them"},
        Wrong{"scale_without_what_if", "run --assume-scale 8 /bin/true", 2, "Add --what-if fp16"},
        Wrong{"negative_scale", "run --what-if fp16 --assume-scale -8 /bin/true", 2, "--assume-scale"},
        Wrong{"impact_without_reference", "run --impact --reference off /bin/true", 2, "--reference off turns off"},
        Wrong{"no_program", "run", 2, "No program to run"},
        Wrong{"missing_program", "run ./nothing", 2, "No such program: './nothing'"},
        Wrong{"missing_program_on_path", "run no_such_program", 2, "on PATH"},
        Wrong{"script_without_interpreter", "run train.py", 2, "ampprof run -- python train.py"},
        Wrong{"folder_as_program", "run ./", 2, "is a directory"},
        Wrong{"unknown_level", "run --levels O1,O7 /bin/true", 2, "'O7' is not an opt level"},
        Wrong{"level_without_amp_core", "run --levels O0,O2 /bin/true", 2, "work on any program: --levels O0,O1"},
        Wrong{"unknown_sample", "run sample:mpl", 2, "Did you mean 'mlp'?"},
        Wrong{"unwritable_report", "run -o /nowhere/r.ampprof /bin/true", 2, "/nowhere"},
        Wrong{"existing_report", "run -o good.ampprof /bin/true", 2, "good.ampprof"},
        Wrong{"unreadable_model", "run model.pt --input f32[1]", 2, "not a zip archive"},
        Wrong{"missing_model", "run nothing.pt --input f32[1]", 2, "No such file: 'nothing.pt'"},
        Wrong{"bad_input", "run model.pt --input f32", 2, "no shape"},
        Wrong{"input_for_a_program", "run --input f32[1] /bin/true", 2, "for TorchScript models"},
        Wrong{"unknown_reference", "run --reference fp8 /bin/true", 2, "'fp8' is not a reference"},
        Wrong{"unknown_gpu", "run --target-gpu Voodoo2 /bin/true", 2, "'Voodoo2'"},
        Wrong{"bad_number", "run --every x /bin/true", 2, "--every"},
        Wrong{"budget_without_probe", "run --probe-budget 9 /bin/true", 2, "Add --probe"},
        Wrong{"negative_budget", "run --probe --probe-budget -9 /bin/true", 2, "--probe-budget"},
        Wrong{"zero_repeats", "run --repeat 0 /bin/true", 2, "--repeat"},
        Wrong{"search_without_program", "search", 2, "ampprof search --help"},
        Wrong{"metric_without_number", "search --metric loss: /bin/true", 2, "has no group"},
        Wrong{"bad_tolerance", "search --tolerance some /bin/true", 2, "invalid tolerance 'some'"},
        Wrong{"bad_type", "search --type half /bin/true", 2, "--type: 'half' is not a reduced type"},
        Wrong{"bad_type_of_run", "run --type f16 --levels O1 /bin/true", 2, "Did you mean 'fp16'?"},
        Wrong{"bad_budget", "search --budget 3d /bin/true", 2, "invalid duration '3d'"},
        Wrong{"error_beyond_all", "search --error 2 /bin/true", 2, "--error"},
        Wrong{"policy_there_already", "search --output-policy model.pt /bin/true", 2, "--output-policy"},
        Wrong{"searched_policy_in_no_folder", "search --output-policy no/p.amp /bin/true", 2,
              "the directory no does not"},
        Wrong{"search_in_no_report", "search -o text.ampprof /bin/true", 4, "text.ampprof"},
        Wrong{"missing_report", "show nothing.ampprof", 4, "nothing.ampprof"},
        Wrong{"text_as_report", "show text.ampprof", 4, "text.ampprof"},
        Wrong{"damaged_report", "show damaged.ampprof ops", 4, "damaged.ampprof"},
        Wrong{"unknown_view", "show good.ampprof op", 2, "Did you mean 'ops'?"},
        Wrong{"unknown_run", "show good.ampprof --run O2", 2, "1 (O0), 2 (O1) and 3 (O3)"},
        Wrong{"unknown_format", "show good.ampprof --format xml", 2, "unknown format 'xml'"}),
    [](const auto& info) { return info.param.name; });

TEST_F(CommandLine, RunsAProgramAndPassesItsOutputThrough) {
  const Outcome outcome = ampprof("run -o r.ampprof -- /bin/sh -c 'cat; echo to-err >&2'", "echo hello |");
  EXPECT_EQ(outcome.exit_code, kNothingRecorded) << outcome.err;
  EXPECT_EQ(outcome.out, "hello\n");
  EXPECT_NE(outcome.err.find("to-err"), std::string::npos);
  EXPECT_NE(outcome.err.find("ampprof: 1 run in r.ampprof"), std::string::npos) << outcome.err;
  EXPECT_FALSE(fs::exists(work("r.ampprof-wal"))) << "folded into one file";
}

TEST_F(CommandLine, SaysThatNothingWasRecordedWithoutLibTorch) {
  const Outcome outcome = ampprof("run /bin/true");
  EXPECT_EQ(outcome.exit_code, 2);
  const std::string last = outcome.err.substr(outcome.err.rfind('\n', outcome.err.size() - 2) + 1);
  EXPECT_TRUE(last.starts_with("ampprof: nothing was recorded: ")) << outcome.err;
  const auto missing = queries::missing(queries::Report(work("ampprof-1.ampprof")));
  ASSERT_EQ(missing.size(), 1u);
  EXPECT_NE(missing[0].missing.remedy, "");
}

TEST_F(CommandLine, NeverTakesAReportsNameTwice) {
  EXPECT_EQ(ampprof("run /bin/true").exit_code, kNothingRecorded);
  EXPECT_EQ(ampprof("run /bin/true").exit_code, kNothingRecorded);
  EXPECT_TRUE(fs::exists(work("ampprof-2.ampprof")));
  EXPECT_EQ(ampprof("run --force -o ampprof-1.ampprof /bin/true").exit_code, kNothingRecorded);
}

TEST_F(CommandLine, KeepsTheReportOfAProgramThatFails) {
  const Outcome outcome = ampprof("run -o r.ampprof -- /bin/sh -c 'exit 7'");
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_NE(outcome.err.find("exit code 7"), std::string::npos) << outcome.err;
  EXPECT_EQ(runs_of("r.ampprof").at(0).exit_code, 7);
}

TEST_F(CommandLine, NamesTheSignalOfAProgramThatCrashes) {
  const Outcome outcome = ampprof("run -o r.ampprof -- /bin/sh -c 'kill -SEGV $$'");
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_NE(outcome.err.find("signal SIGSEGV"), std::string::npos) << outcome.err;
  EXPECT_EQ(runs_of("r.ampprof").at(0).exit_code, 128 + SIGSEGV);
}

TEST_F(CommandLine, RunsTheProgramOncePerLevelAndRepeat) {
  const Outcome outcome = ampprof("run -o r.ampprof --levels O0,O3 --repeat 2 --seed 5 sample:mlp --lr 0.1");
  EXPECT_EQ(outcome.exit_code, kNothingRecorded) << outcome.err;
  const std::string line_0 = "level O0, arguments --lr 0.1\n";
  const std::string line_3 = "level O3, arguments --lr 0.1\n";
  EXPECT_EQ(outcome.out, line_0 + line_0 + line_3 + line_3);
  const auto runs = runs_of("r.ampprof");
  ASSERT_EQ(runs.size(), 4u);
  EXPECT_EQ(runs[3].level, "O3");
  EXPECT_EQ(runs[3].program, "sample:mlp --lr 0.1");
  EXPECT_EQ(runs[3].target_gpu, "sm_90");
}

TEST_F(CommandLine, GivesTheProgramTheRecordersVariables) {
  const std::string program = executable("work/program", "#!/bin/sh\nenv\n");
  const Outcome outcome = ampprof("run -o r.ampprof --steps 2:4 --levels O1 " + program);
  EXPECT_EQ(outcome.exit_code, kNothingRecorded) << outcome.err;
  for (const std::string& entry :
       {"AMPPROF_RECORD_REPORT=" + work("r.ampprof").string(), std::string("AMPPROF_RECORD_RUN=1"),
        std::string("AMPPROF_RECORD_FIRST_STEP=2"), std::string("AMPPROF_RECORD_LAST_STEP=4"),
        std::string("AMPPROF_RECORD_INJECT=1"), std::string("AMP_OPT_LEVEL=O1"),
        "LD_PRELOAD=" + (root() / "lib/libampprof_preload.so").string()}) {
    EXPECT_NE(outcome.out.find(entry + "\n"), std::string::npos) << entry << " is not in\n" << outcome.out;
  }
}

TEST_F(CommandLine, TakesFlagsFromTheEnvironment) {
  EXPECT_EQ(ampprof("run sample:mlp", "AMPPROF_OUTPUT=e.ampprof AMPPROF_LEVELS=O1 AMPPROF_REPEAT=2").exit_code,
            kNothingRecorded);
  EXPECT_EQ(runs_of("e.ampprof").size(), 2u);
  EXPECT_EQ(ampprof("run sample:mlp", "AMPPROF_OUTPUT=e.ampprof AMPPROF_FORCE=1").exit_code, kNothingRecorded);
  EXPECT_EQ(ampprof("run sample:mlp", "AMPPROF_POLICY=p.amp").exit_code, 2);
}

TEST_F(CommandLine, RunsAModelThroughTheRunner) {
  write_bytes(work("model.pt"), zip_of({"model/constants.pkl", "model/code/__torch__.py"}));
  const Outcome outcome = ampprof("run -o r.ampprof model.pt --input f32[8,3] --input i64[8] --train --levels O0");
  EXPECT_EQ(outcome.exit_code, kNothingRecorded) << outcome.err;
  EXPECT_EQ(outcome.out, "runner model.pt --input f32[8,3] --input i64[8] --train --steps 10\n");
  EXPECT_EQ(runs_of("r.ampprof").at(0).level, "O0");
}

TEST_F(CommandLine, LeavesNoReportOfAProgramThatCannotStart) {
  const std::string program = executable("work/broken", "#!/no/such/interpreter\n");
  const Outcome outcome = ampprof("run -o r.ampprof " + program);
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.err.find("Cannot start"), std::string::npos) << outcome.err;
  EXPECT_FALSE(fs::exists(work("r.ampprof")));
}

TEST_F(CommandLine, WaitsForAProgramThatItInterrupts) {
  const std::string program = executable("work/slow",
                                         "#!/bin/sh\ntrap 'echo trapped; exit 9' TERM\ntouch started\n"
                                         "while :; do sleep 0.05; done\n");
  const pid_t child = fork();
  if (child == 0) {
    fs::current_path(work(""));
    const int out = ::creat((root() / "out").c_str(), 0600);
    ::dup2(out, STDOUT_FILENO);
    ::dup2(out, STDERR_FILENO);
    const std::string ampprof = root() / "bin/ampprof";
    ::execl(ampprof.c_str(), "ampprof", "run", "-o", "r.ampprof", "--repeat", "3", program.c_str(), nullptr);
    ::_exit(127);
  }
  for (int i = 0; i < 500 && !fs::exists(work("started")); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  ASSERT_TRUE(fs::exists(work("started")));
  ::kill(child, SIGTERM);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 3);
  EXPECT_NE(bytes_of(root() / "out").find("trapped\n"), std::string::npos);
  const auto runs = runs_of("r.ampprof");
  ASSERT_EQ(runs.size(), 1u) << "no further repeat starts";
  EXPECT_EQ(runs[0].exit_code, 9);
}

TEST_F(CommandLine, RefusesALibTorchThatItHasNoRecorderFor) {
  EXPECT_EQ(ampprof("run " + python_with("2.9.1") + " train.py").exit_code, kNothingRecorded);
  const Outcome outcome = ampprof("run " + python_with("2.13.0+cpu") + " train.py");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(
      outcome.err.find("ampprof: '" + (root() / "work/python3").string() +
                       "' uses LibTorch 2.13.0, and this ampprof records 2.9.1 and 2.11.0. Add that version in "
                       "ampprof's source directory with `make torch TORCH=2.13.0` (and `make packages`, if ampprof "
                       "came in a package), or run the program with LibTorch 2.9.1 or 2.11.0."),
      0u)
      << outcome.err;
}

TEST_F(CommandLine, RunsASampleOfTheLibTorchThatIsAskedFor) {
  const std::string older = "LIBTORCH='" + torch_of("2.9.1") + "'";
  EXPECT_EQ(ampprof("run --torch 2.9.1 sample:mlp", older).out, "older\n");
  EXPECT_NE(ampprof("run --torch 2.11.0 sample:mlp").out, "older\n");
  EXPECT_NE(ampprof("run --torch 3.0.0 sample:mlp").err.find("records 2.9.1 and 2.11.0"), std::string::npos);
  EXPECT_NE(ampprof("run --torch 2.9.1 /bin/true").err.find("brings its own"), std::string::npos);
}

TEST_F(CommandLine, ChecksAPolicyAgainstTheProgramsOwnLibTorch) {
  write_bytes(root() / "lib/torch-2.9.1/operators.txt", "cholesky\n");
  write_bytes(root() / "lib/torch-2.11.0/operators.txt", "linear\n");
  write_bytes(work("p.amp"), "cholesky fp32\n");
  const std::string older = "LIBTORCH='" + torch_of("2.9.1") + "'";
  EXPECT_EQ(ampprof("run --torch 2.9.1 --levels O1 --policy p.amp sample:mlp", older).out, "older\n");
  const Outcome outcome = ampprof("run --torch 2.11.0 --levels O1 --policy p.amp sample:mlp");
  EXPECT_NE(outcome.err.find("LibTorch 2.11.0 has no op cholesky."), std::string::npos) << outcome.err;
}

TEST_F(CommandLine, RefusesAPythonWithoutTorch) {
  const std::string python = executable("work/python3", "#!/bin/sh\necho\n");
  const Outcome outcome = ampprof("run " + python + " train.py");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.err.find("has no torch"), std::string::npos) << outcome.err;
}

TEST_F(CommandLine, ShowsAReport) {
  write_synthetic_report(work("good.ampprof"));
  const Outcome outcome = ampprof("show good.ampprof", "COLUMNS=100");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_NE(outcome.out.find("O3 ends with losses that are NaN or inf"), std::string::npos);
  EXPECT_EQ(outcome.out.find('\033'), std::string::npos) << "no colours where there is no terminal";
}

TEST_F(CommandLine, AdvisesAndWritesAPolicyThatARunTakes) {
  write_synthetic_report(work("r.ampprof"));
  const Outcome advice = ampprof("advise r.ampprof -o p.amp --format json");
  EXPECT_EQ(advice.exit_code, 0) << advice.err;
  EXPECT_NE(advice.out.find("\"predicted_loss_impact_before\""), std::string::npos) << advice.out;
  EXPECT_NE(bytes_of(work("p.amp")).find("\nconv2d fp32\n"), std::string::npos) << bytes_of(work("p.amp"));
  const Outcome again = ampprof("advise r.ampprof -o p.amp");
  EXPECT_EQ(again.exit_code, 2);
  EXPECT_NE(again.err.find("p.amp exists already"), std::string::npos) << again.err;
  EXPECT_EQ(ampprof("advise r.ampprof -o p.amp --force").exit_code, 0);
  const Outcome none = ampprof("advise r.ampprof --run O0 -o none.amp");
  EXPECT_EQ(none.exit_code, 0);
  EXPECT_NE(none.err.find("no policy file was written: none.amp would have no rule"), std::string::npos) << none.err;
  EXPECT_FALSE(std::filesystem::exists(work("none.amp")));
  EXPECT_EQ(ampprof("advise r.ampprof --code cpp").out.find("// "), 0u);
  EXPECT_EQ(ampprof("run --levels O1 --policy p.amp -o q.ampprof /bin/true").err.find("--policy:"), std::string::npos);
}

TEST_F(CommandLine, SaysWhatATableLeavesOut) {
  write_synthetic_report(work("good.ampprof"));
  const Outcome outcome = ampprof("show good.ampprof ops --limit 3", "COLUMNS=80");
  const std::string table = outcome.out.substr(outcome.out.find("call site"));
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 4) << outcome.out;
  EXPECT_NE(outcome.err.find("12 more rows"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("inputs"), std::string::npos) << outcome.err;
  EXPECT_EQ(ampprof("show good.ampprof ops --format csv").err, "");
}

TEST_F(CommandLine, ListsSamples) {
  EXPECT_EQ(ampprof("samples").out, "sample  steps  about\nmlp        20  three layers\n");
  EXPECT_EQ(ampprof("samples --format csv").out, "name,about,program,steps\nmlp,three layers,sample_mlp,20\n");
}

TEST_F(CommandLine, ExplainsEveryVerb) {
  for (const char* verb : {"run", "show", "search", "diff", "check", "samples", "doctor"}) {
    const Outcome outcome = ampprof(std::string(verb) + " --help");
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_NE(outcome.out.find("Example:"), std::string::npos) << outcome.out;
  }
  EXPECT_NE(ampprof("--help").out.find("ampprof run --levels"), std::string::npos);
}

TEST_F(CommandLine, SaysTheDefaultOfEachFlagOfRun) {
  const std::string help = ampprof("run --help").out;
  std::istringstream lines(help.substr(std::min(help.find("What to record:\n"), help.size())));
  int flags = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("  -")) continue;
    ++flags;
    EXPECT_NE(line.find(" (default: "), std::string::npos) << line;
  }
  EXPECT_GT(flags, 30) << help;
  for (const char* heading : {"\nWhere and how much:\n", "\nRanks:\n"}) {
    EXPECT_NE(help.find(heading), std::string::npos) << help;
  }
  EXPECT_NE(help.find("--inherited,--no-inherited"), std::string::npos) << help;
}

TEST_F(CommandLine, NamesItsVersions) {
  const Outcome outcome = ampprof("--version");
  for (const char* part : {"ampprof ", "commit ", "LibTorch 2.9.1 and 2.11.0\n", "CUDA ", "CUPTI ", "SQLite 3."}) {
    EXPECT_NE(outcome.out.find(part), std::string::npos) << outcome.out;
  }
}

TEST_F(CommandLine, AReportNamesTheVersionThatWroteIt) {
  (void)ampprof("run -o r.ampprof /bin/true");
  std::istringstream said(ampprof("--version").out);
  std::string word;
  std::string version;
  std::string commit;
  said >> word >> version >> word >> commit;
  EXPECT_EQ(ampprof("sql r.ampprof 'SELECT ampprof_version, ampprof_commit FROM run' --format csv").out,
            "ampprof_version,ampprof_commit\n" + version + ',' + (commit == "none" ? "" : commit) + '\n');
  EXPECT_NE(ampprof("doctor --format csv").out.find("ampprof,fine,"), std::string::npos);
}

TEST_F(CommandLine, DoctorSaysWhetherCudaPartsAreBuilt) {
  const bool are_built = ampprof("--version").out.find("CUDA none") == std::string::npos;
  const std::string said = ampprof("doctor --format csv").out;
  EXPECT_NE(said.find(are_built ? "CUDA parts,fine,built with CUDA" : "CUDA parts,reduced,not built; the same calls"),
            std::string::npos)
      << said;
}

TEST_F(CommandLine, DoctorFindsABrokenInstallation) {
  EXPECT_NE(ampprof("doctor --format csv").out.find("LibTorch,fine,records programs that use 2.9.1 and 2.11.0,"),
            std::string::npos);
  fs::remove(root() / "lib/torch-2.11.0/libampprof.so");
  // LeakSanitizer can crash at exit once NVIDIA's libraries are open, which changes the exit code.
  const Outcome outcome = ampprof("doctor --format csv", "ASAN_OPTIONS=detect_leaks=0");
  EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
  EXPECT_NE(outcome.out.find("LibTorch 2.11.0,broken,"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("preload stub,fine,"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("LibTorch 2.9.1,reduced,"), std::string::npos) << outcome.out;
  EXPECT_EQ(ampprof("run --torch 2.11.0 sample:mlp").exit_code, 2) << "a run that could record nothing does not start";
}

}  // namespace command_line_test
}  // namespace ampprof::cli
