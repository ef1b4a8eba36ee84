// SPDX-License-Identifier: Apache-2.0
// Compares the output of a command on a small report with golden/<name>.txt, word for word. After an intended change,
// AMPPROF_UPDATE_GOLDEN=1 writes the files again; review the difference.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>

#include "tests/cli/gpu_report.h"
#include "tests/cli/layered_report.h"
#include "tests/cli/probed_report.h"
#include "tests/cli/repeated_report.h"
#include "tests/cli/synthetic_report.h"
#include "tests/reports/sample_report.h"

namespace ampprof::cli {
namespace golden_test {

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
    write_layered_report(folder_ / "layers.ampprof");
    write_gpu_report(folder_ / "gpu.ampprof");
    write_probed_report(folder_ / "probed.ampprof");
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

INSTANTIATE_TEST_SUITE_P(Show, GoldenText,
                         testing::Values(Golden{"show_summary", "show digits.ampprof summary"},
                                         Golden{"show_summary_wide", "show digits.ampprof summary", 160},
                                         Golden{"show_runs", "show digits.ampprof runs"},
                                         Golden{"show_runs_wide", "show digits.ampprof runs", 160},
                                         Golden{"show_ops", "show digits.ampprof ops"},
                                         Golden{"show_ops_wide", "show digits.ampprof ops", 160},
                                         Golden{"show_events", "show digits.ampprof events"},
                                         Golden{"show_events_wide", "show digits.ampprof events", 160},
                                         Golden{"show_tensor_cores", "show digits.ampprof tensor-cores"},
                                         Golden{"show_tensor_cores_wide", "show digits.ampprof tensor-cores", 160},
                                         Golden{"show_ranges", "show digits.ampprof ranges"},
                                         Golden{"show_ranges_wide", "show digits.ampprof ranges", 160},
                                         Golden{"show_impact", "show digits.ampprof impact"},
                                         Golden{"show_impact_wide", "show digits.ampprof impact", 160},
                                         Golden{"show_casts", "show digits.ampprof casts"},
                                         Golden{"show_casts_wide", "show digits.ampprof casts", 160},
                                         Golden{"show_optimizer", "show digits.ampprof optimizer"},
                                         Golden{"show_optimizer_wide", "show digits.ampprof optimizer", 160},
                                         Golden{"show_loss_scale", "show digits.ampprof loss-scale"},
                                         Golden{"show_loss_scale_wide", "show digits.ampprof loss-scale", 160},
                                         Golden{"show_missing", "show digits.ampprof missing"},
                                         Golden{"show_missing_wide", "show digits.ampprof missing", 160}),
                         [](const auto& info) { return info.param.name; });

INSTANTIATE_TEST_SUITE_P(
    ShowGpu, GoldenText,
    testing::Values(Golden{"gpu_summary", "show gpu.ampprof"}, Golden{"gpu_kernels", "show gpu.ampprof kernels"},
                    Golden{"gpu_kernels_wide", "show gpu.ampprof kernels", 160},
                    Golden{"gpu_kernels_of_op", "show gpu.ampprof kernels --run O1 --op linear"},
                    Golden{"gpu_kernels_by_op", "show gpu.ampprof kernels --run O1 --group-by op"},
                    Golden{"gpu_kernels_json", "show gpu.ampprof kernels --run O1 --limit 2 --format json"},
                    Golden{"gpu_ops_wide", "show gpu.ampprof ops", 160},
                    Golden{"gpu_tensor_cores_wide", "show gpu.ampprof tensor-cores", 160},
                    Golden{"gpu_idle", "show gpu.ampprof idle"}, Golden{"gpu_idle_wide", "show gpu.ampprof idle", 160},
                    Golden{"gpu_idle_by_op", "show gpu.ampprof idle --run O1 --group-by op --phase forward"},
                    Golden{"gpu_idle_json", "show gpu.ampprof idle --run O1 --limit 1 --format json"},
                    Golden{"probed_tensor_cores", "show probed.ampprof tensor-cores --run O1"},
                    Golden{"probed_tensor_cores_wide", "show probed.ampprof tensor-cores", 160},
                    Golden{"probed_tensor_cores_json",
                           "show probed.ampprof tensor-cores --run O1 --op linear --format json"},
                    Golden{"gpu_no_kernels", "show digits.ampprof kernels"}),
    [](const auto& info) { return info.param.name; });

INSTANTIATE_TEST_SUITE_P(
    ShowGroups, GoldenText,
    testing::Values(Golden{"show_ops_by_class", "show layers.ampprof ops --run O1 --group-by class"},
                    Golden{"show_tensor_cores_by_class", "show layers.ampprof tensor-cores --run O1 --group-by class"},
                    Golden{"show_ranges_by_class", "show layers.ampprof ranges --run O1 --group-by class"},
                    Golden{"show_impact_by_class", "show layers.ampprof impact --run O1 --group-by class"},
                    Golden{"show_casts_by_class", "show layers.ampprof casts --run O1 --group-by class"},
                    Golden{"show_ops_by_module", "show layers.ampprof ops --run O1 --group-by module --phase forward"},
                    Golden{"show_ops_by_op_wide", "show layers.ampprof ops --group-by op", 160},
                    Golden{"show_layers_missing", "show layers.ampprof missing"},
                    Golden{"show_layers_missing_wide", "show layers.ampprof missing", 160},
                    Golden{"show_ops_json", "show digits.ampprof ops --run O1 --limit 1 --format json"},
                    Golden{"show_ops_csv", "show digits.ampprof ops --run O1 --limit 1 --format csv"},
                    Golden{"show_ops_markdown", "show digits.ampprof ops --run O1 --limit 1 --format md"}),
    [](const auto& info) { return info.param.name; });

INSTANTIATE_TEST_SUITE_P(ShowErrors, GoldenText,
                         testing::Values(Golden{"show_wrong_view", "show digits.ampprof opps"},
                                         Golden{"show_wrong_key", "show digits.ampprof ops --sort local_rel_12"},
                                         Golden{"show_wrong_regex", "show digits.ampprof ops --op 'conv(2d|3d'"},
                                         Golden{"show_wrong_phase", "show digits.ampprof ops --phase fwd"},
                                         Golden{"show_wrong_run", "show digits.ampprof ops --run O2"},
                                         Golden{"show_wrong_flag_of_view", "show digits.ampprof runs --op conv"},
                                         Golden{"show_wrong_group", "show digits.ampprof events --group-by class"},
                                         Golden{"show_wrong_group_word", "show digits.ampprof ops --group-by clas"},
                                         Golden{"show_wrong_limit", "show digits.ampprof ops --limit -1"},
                                         Golden{"show_help", "show --help"}),
                         [](const auto& info) { return info.param.name; });

INSTANTIATE_TEST_SUITE_P(
    OtherVerbs, GoldenText,
    testing::Values(Golden{"advise", "advise digits.ampprof"}, Golden{"advise_wide", "advise digits.ampprof", 160},
                    Golden{"advise_json", "advise digits.ampprof --format json"},
                    Golden{"merge", "merge old.ampprof few.ampprof -o merged.ampprof"},
                    Golden{"export_run", "export layers.ampprof --to json --run O2 -o layers.json"}),
    [](const auto& info) { return info.param.name; });

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
        Golden{"diff_gpu", "diff gpu.ampprof --run O0 --run O1"},
        Golden{"diff_gpu_wide", "diff gpu.ampprof --run O0 --run O1", 160}, Golden{"diff_help", "diff --help"}),
    [](const auto& info) { return info.param.name; });

}  // namespace golden_test
}  // namespace ampprof::cli
