// SPDX-License-Identifier: Apache-2.0
// What the program prints, word for word: a small report, a command, and golden/<name>.txt. After a change that is
// meant, AMPPROF_UPDATE_GOLDEN=1 writes the files anew; look at the difference.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>

#include "tests/cli/repeated_report.h"
#include "tests/cli/synthetic_report.h"
#include "tests/reports/sample_report.h"

namespace ampprof::cli {
namespace {

using testing_reports::bytes_of;
using testing_reports::write_bytes;

struct Golden {
  const char* name;
  const char* command;
  int columns = 80;
};

void PrintTo(const Golden& golden, std::ostream* out) { *out << golden.command; }

class GoldenText : public testing::TestWithParam<Golden> {
 protected:
  GoldenText() {
    write_synthetic_report(folder_ / "digits.ampprof");
    write_repeated_report(folder_ / "old.ampprof", {});
    write_repeated_report(folder_ / "new.ampprof", {.front = "backbone", .slowness = 1.5, .overflows = true});
    write_repeated_report(folder_ / "few.ampprof", {.repeats = 2, .slowness = 1.5});
    write_bytes(folder_ / "rules.gates", "# of the nightly build\noverflows <= 3\n\nsteps >= 4  # at least\n");
  }

  std::string said(const Golden& golden) const {
    const std::string command = "cd '" + folder_.path().string() +
                                "' && env -u AMPPROF_FORMAT COLUMNS=" + std::to_string(golden.columns) +
                                " '" AMPPROF_PROGRAM "' " + golden.command +
                                " >out 2>err; code=$?; [ ! -e junit.xml ] || cat junit.xml >>out; exit $code";
    const int status = std::system(command.c_str());
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return "$ ampprof " + std::string(golden.command) + '\n' + bytes_of(folder_ / "out") + "[stderr]\n" +
           bytes_of(folder_ / "err") + "[exit code " + std::to_string(code) + "]\n";
  }

  testing_reports::TemporaryFolder folder_;
};

TEST_P(GoldenText, IsPrintedWordForWord) {
  const std::string path = std::string(AMPPROF_GOLDEN) + '/' + GetParam().name + ".txt";
  const std::string text = said(GetParam());
  if (std::getenv("AMPPROF_UPDATE_GOLDEN") != nullptr) write_bytes(path, text);
  EXPECT_EQ(text, bytes_of(path)) << path;
}

constexpr const char* kGates =
    " --gate 'overflows <= 3' --gate 'local_rel_l2(conv*) < 1e-4' --gate 'ms_per_step(O1) < 0.8 * ms_per_step(O0)'"
    " --gate 'inherited_rel_l2 < 1 or steps(O7) > 1'";

std::string check(const std::string& rest) { return "check digits.ampprof" + rest; }

const std::string kCheck = check(kGates);
const std::string kCheckJson = check(" --gate 'final_loss(O1) < 1.05 * final_loss(O0)' --format json");
const std::string kCheckCsv = check(" --gate 'overflows <= 3' --gate 'final_loss < 1' --format csv");
const std::string kCheckMarkdown = kCheck + " --format md";
const std::string kCheckJunit =
    check(" --run O1 --gate 'peak_bytes < 65 MB && nonfinite == 0' --gate 'steps > 2' --junit junit.xml");

INSTANTIATE_TEST_SUITE_P(
    Check, GoldenText,
    testing::Values(Golden{"check_table", kCheck.c_str()}, Golden{"check_table_wide", kCheck.c_str(), 160},
                    Golden{"check_json", kCheckJson.c_str()}, Golden{"check_csv", kCheckCsv.c_str()},
                    Golden{"check_markdown", kCheckMarkdown.c_str()}, Golden{"check_junit", kCheckJunit.c_str()},
                    Golden{"check_file", "check old.ampprof --gates rules.gates"},
                    Golden{"check_wrong_rule", "check old.ampprof --gate 'overflow(O1) <= 3'"},
                    Golden{"check_wrong_unit", "check old.ampprof --gate 'ms_per_step(O1) <= 3 GB'"},
                    Golden{"check_help", "check --help"}),
    [](const auto& info) { return info.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Diff, GoldenText,
    testing::Values(
        Golden{"diff_levels", "diff old.ampprof --run O0 --run O1"},
        Golden{"diff_levels_wide", "diff old.ampprof", 160},
        Golden{"diff_reports", "diff old.ampprof new.ampprof --run O1"},
        Golden{"diff_renamed", "diff old.ampprof new.ampprof --run O1 --rename all --phase forward --limit 2"},
        Golden{"diff_too_few", "diff few.ampprof"}, Golden{"diff_no_repeats", "diff digits.ampprof --run O0 --run O1"},
        Golden{"diff_markdown", "diff old.ampprof new.ampprof --format md --gate 'ms_per_step(B) < ms_per_step(A)'"},
        Golden{"diff_json", "diff old.ampprof new.ampprof --run O1 --rename features=backbone --op mm --format json"},
        Golden{"diff_csv", "diff old.ampprof --sort cpu_us_per_call_a --limit 2 --format csv"},
        Golden{"diff_help", "diff --help"}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace ampprof::cli
