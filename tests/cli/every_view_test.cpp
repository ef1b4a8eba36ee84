// SPDX-License-Identifier: Apache-2.0
// Compares every view of every synthetic report with golden/views_of_<report>.txt: all properties of its columns, its
// cells with their tones, its JSON, the summary, and the differences between runs. Compares the advice on each run with
// golden/advice_on_<report>.txt, and each metric of gates with golden/gates_of_<report>.txt.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <sstream>

#include "analysis/compare/comparison.h"
#include "analysis/diagnosis/advised_run.h"
#include "analysis/diagnosis/diagnose.h"
#include "analysis/diagnosis/finding.h"
#include "analysis/diagnosis/judged_gates.h"
#include "analysis/ranks/report_rows.h"
#include "precision/advice/code.h"
#include "precision/gpu/device_caps.h"
#include "reports/gates/evidence.h"
#include "reports/gates/metrics.h"
#include "reports/gates/occasion.h"
#include "reports/gates/parser.h"
#include "reports/queries/events.h"
#include "reports/queries/ops.h"
#include "reports/queries/report.h"
#include "reports/queries/run_names.h"
#include "reports/queries/runs.h"
#include "reports/records/dtype.h"
#include "reports/records/statistics.h"
#include "tests/cli/gpu_report.h"
#include "tests/cli/layered_report.h"
#include "tests/cli/probed_report.h"
#include "tests/cli/repeated_report.h"
#include "tests/cli/synthetic_report.h"
#include "tests/golden.h"
#include "tests/reports/sample_report.h"
#include "views/all_views.h"
#include "views/compare/difference.h"
#include "views/diagnosis/advice.h"
#include "views/diagnosis/answer.h"
#include "views/diagnosis/gates.h"
#include "views/diagnosis/summary.h"
#include "views/ops/views.h"
#include "views/view_source.h"

namespace ampprof::cli {
namespace every_view_test {

using test_support::expect_golden;

constexpr std::size_t kMostRecords = 8;  // records printed per view

const char* word_of(text::Tone tone) {
  constexpr const char* kWords[]{"", "strong:", "faint:", "good:", "bad:", "attention:"};
  return kWords[static_cast<int>(tone)];
}

std::string columns_of(const views::View& view) {
  std::ostringstream out;
  for (const views::Column& column : view.columns) {
    out << "  " << (column.title.empty() ? "(no title)" : column.title) << ": key " << column.key << ", spare "
        << column.spare << (column.align == views::Align::Right ? ", right" : "")
        << (column.flexible ? ", flexible" : "") << (column.drawing ? ", drawing" : "") << '\n';
  }
  return out.str();
}

std::string whole(const views::View& view) {
  std::ostringstream out;
  out << "== " << view.name << (view.wraps ? ", wraps" : "") << ", " << view.records.size() << " records\n"
      << columns_of(view);
  for (std::size_t i = 0; i < std::min(kMostRecords, view.records.size()); ++i) {
    const views::Record& record = view.records[i];
    for (const views::Cell& cell : record.cells) out << '[' << word_of(cell.tone) << cell.text << ']';
    out << '\n' << record.json.dump() << '\n';
  }
  return out.str();
}

/// An open report, from which the tests make views and comparisons.
struct Opened {
  explicit Opened(const std::filesystem::path& path) : report(path), runs(queries::runs(report)) {}

  views::ViewSource source(std::optional<analysis::Grouping> grouping = {}) const {
    return {.report = report, .runs = runs, .targets = analysis::Targets(runs), .grouping = std::move(grouping)};
  }

  analysis::SideOf side(const std::string& level, const std::string& target_gpu) const {
    std::vector<queries::RunRow> chosen;
    std::ranges::copy_if(runs, std::back_inserter(chosen), [&](const auto& run) { return run.level == level; });
    const auto records_of = [&](std::int64_t run) -> const analysis::RunRecords& {
      const auto [place, is_new] = records.try_emplace(run);
      if (is_new) place->second = {queries::ops(report, run), queries::events(report, run)};
      return place->second;
    };
    return analysis::side_of("r", runs, chosen, target_gpu, records_of);
  }

  queries::Report report;
  std::vector<queries::RunRow> runs;
  mutable std::map<std::int64_t, analysis::RunRecords> records;
};

std::string every_view(const Opened& opened) {
  std::string text;
  for (const views::NamedView& view : views::all_views()) {
    views::ViewSource source = opened.source();
    text += whole(view.make(source));
    if (!view.takes_grouping) continue;
    views::ViewSource grouped = opened.source(analysis::Grouping{.by = analysis::GroupBy::Class, .filter = {}});
    text += "by class: " + whole(view.make(grouped));
  }
  return text;
}

std::string what_is_said(const Opened& opened) {
  views::ViewSource source = opened.source();
  const analysis::ReportRows rows = views::rows_of(source);
  std::string text = "== answer\n";
  for (const views::Sentence& sentence : views::answer(rows, source.targets)) {
    text += std::string(word_of(sentence.tone)) + sentence.text + " (" + std::string(sentence.view) + ")\n";
  }
  for (const int width : {60, 100, 200}) {
    text += "== summary, " + std::to_string(width) + " columns\n" +
            views::summary("r.ampprof", rows, source.targets, views::Format::Table,
                           {.width = width, .is_terminal = true, .colours = true});
  }
  return text;
}

/// Returns the comparison of O0, judged for sm_70, with O1, judged for sm_90; "" if the report lacks a level.
std::string how_levels_differ(const Opened& opened) {
  const auto has = [&](const char* level) {
    return std::ranges::count(opened.runs, level, &queries::RunRow::level) > 0;
  };
  if (!has("O0") || !has("O1")) return "";
  const analysis::OwnedComparison pair(opened.side("O0", "sm_70"), opened.side("O1", "sm_90"),
                                       {.apply_suggestions = true});
  return whole(views::run_difference_view(pair.side_by_side())) +
         whole(views::site_difference_view(pair.side_by_side()));
}

/// Returns the advice on each run as a table, as JSON, as a policy and as code.
std::string every_advice(const Opened& opened) {
  std::string text;
  const auto findings =
      analysis::diagnose(analysis::read_rows(opened.report, opened.runs, queries::ops(opened.report)));
  for (const queries::RunRow& run : opened.runs) {
    const advice::Advice advice = analysis::advice_on(opened.report, run, opened.runs);
    text += "== advice on run " + std::to_string(run.run) + "\n" +
            views::formatted(advice, findings, {run.run, run.level}, views::Format::Table, {.width = 120}) +
            views::to_json(advice, {run.run, run.level}).dump() + '\n' + policy_file(advice) + cpp_code(advice) +
            apex_code(advice) + torch_code(advice) + libtorch_code(advice);
  }
  return text;
}

/// Returns the results of one gate per metric, for each run.
std::string every_gate(const Opened& opened) {
  std::vector<analysis::Gate> gates;
  for (const gates::Metric& metric : gates::all_metrics()) {
    const std::string arguments = metric.takes_pattern() && !metric.takes_phase() ? "('*')" : "";
    gates.push_back({gates::parse_rule(std::string(metric.name) + arguments + " < 0.5"), "gates:1"});
  }
  const auto evidence = analysis::gate_evidence(opened.report, opened.runs, "sm_90", {.sites = true, .findings = true});
  std::vector<gates::Occasion> occasions;
  for (const gates::RunEvidence& run : evidence) {
    occasions.push_back({.label = run.run.level, .a = {}, .b = {.meant = {&run}, .all = {&run}}});
  }
  const auto judged = analysis::judged(gates, occasions);
  return views::formatted(judged, "r.ampprof", views::Format::Table, {.width = 140}) +
         views::formatted(judged, "r.ampprof", views::Format::Markdown, {}) + views::junit(judged, "suite");
}

struct StandIn {
  const char* name;
  void (*write)(const std::filesystem::path& path);
};

class EveryView : public testing::TestWithParam<StandIn> {};

TEST_P(EveryView, IsWhatItWas) {
  const testing_reports::TemporaryFolder folder;
  GetParam().write(folder / "r.ampprof");
  const Opened opened(folder / "r.ampprof");
  expect_golden("views_of_" + std::string(GetParam().name) + ".txt",
                every_view(opened) + what_is_said(opened) + how_levels_differ(opened));
  expect_golden("advice_on_" + std::string(GetParam().name) + ".txt", every_advice(opened));
  expect_golden("gates_of_" + std::string(GetParam().name) + ".txt", every_gate(opened));
}

INSTANTIATE_TEST_SUITE_P(Reports, EveryView,
                         testing::Values(StandIn{"gpu", write_gpu_report}, StandIn{"layers", write_layered_report},
                                         StandIn{"probed", write_probed_report},
                                         StandIn{"repeated",
                                                 [](const auto& path) {
                                                   write_repeated_report(path, {.slowness = 1.5, .overflows = true});
                                                 }},
                                         StandIn{"digits", write_synthetic_report}),
                         [](const auto& info) { return info.param.name; });

struct Sizes {
  const char* op;
  const char* signature;
};

/// Every op that Tensor Core rules judge, with sizes, layouts and groups that fit or break the rules; then other ops.
constexpr Sizes kMatmuls[]{
    {"mm", "f16[64,1024] f16[1024,4096]"},
    {"mm", "f16[33,1023] f16[1023,129]"},
    {"mm", "f16[64,100]{1,64} f16[100,64]{1,100}"},
    {"mm", "f16[64,96]{100,1} f16[96,64]{64,1}@2"},
    {"mm", "f16[1,1024] f16[1024,50257]"},
    {"addmm", "f16[10] f16[128,64] f16[64,10]{1,64}"},
    {"linear", "f16[8,128,768] f16[3072,768] f16[3072]"},
    {"linear", "f16[8,128,770] f16[3070,770]"},
    {"bmm", "f16[96,128,64] f16[96,64,128]{8192,1,64}"},
    {"baddbmm", "f16[7,2,5] f16[7,2,3] f16[7,3,5]"},
    {"matmul", "f16[12,197,64] f16[12,64,197]"},
    {"conv1d", "f16[8,4,100] f16[32,2,5] stride=1 padding=valid dilation=1 groups=2"},
    {"conv2d", "f16[32,3,224,224] f16[64,3,7,7] stride=2 padding=3 dilation=1 groups=1"},
    {"conv2d", "f16[32,64,56,56]{200704,1,3584,64} f16[64,64,3,3] stride=1 padding=1 dilation=1 groups=1"},
    {"conv2d", "f16[32,30,56,56] f16[20,30,1,1] stride=1 padding=0 dilation=1 groups=1"},
    {"conv2d", "f16[32,64,56,56] f16[64,1,3,3] stride=1 padding=1 dilation=1 groups=64"},
    {"conv3d", "f16[2,16,8,30,30] f16[24,16,3,3,3] stride=1 padding=1 dilation=1 groups=1"},
    {"_convolution", "f16[8,3,32,32] f16[64,3,3,3] - stride=1 padding=1 dilation=1 transposed=0 groups=1"},
    {"convolution", "f16[8,100,4,4] f16[100,512,4,4] - stride=2,1 padding=1 dilation=1 transposed=1 groups=1"},
    {"cudnn_convolution", "f16[8,12,32,32] f16[64,12,3,3] stride=1 padding=1 dilation=1 groups=1"},
    {"cudnn_convolution_transpose", "f16[8,100,4,4] f16[100,512,4,4] stride=2 padding=1 dilation=1 groups=1"},
    {"conv_transpose1d", "f16[8,100,50] f16[100,30,4] stride=2 padding=1 dilation=1"},
    {"conv_transpose3d.input", "f16[2,12,8,8,8] f16[12,30,2,2,2] stride=2 padding=0 dilation=1"},
    {"conv_transpose2d.input", "f16[8,100,1,1] f16[100,512,4,4] - stride=2 padding=1 dilation=1 output_padding=1"},
    {"convolution_backward",
     "f16[8,64,32,32] f16[8,3,32,32] f16[64,3,3,3] stride=1 padding=1 dilation=1 transposed=0 groups=1"},
    {"embedding", "f16[30522,770] i64[8,128]"},
    {"lstm.input", "f16[35,20,200] f16[800,200] f16[800,200]"},
    {"scaled_dot_product_attention", "f16[8,12,128,60] f16[8,12,128,60] f16[8,12,128,60]"},
    {"add.Tensor", "f16[64,64] f16[64,64]"}};

TEST(EveryVerdict, IsWhatItWas) {
  std::string text;
  for (const char* gpu : {"sm_60", "sm_70", "A100", "sm_90"}) {
    for (const DType dtype : {DType::Half, DType::Float}) {
      text += "== " + std::string(gpu) + ", " + std::string(short_name(dtype)) + '\n';
      queries::RunRow run;
      run.run = 1;
      run.target_gpu = gpu;
      const analysis::Targets targets({run}, gpu);
      for (const Sizes& sizes : kMatmuls) {
        queries::OpRow op;
        op.run = 1;
        op.op = sizes.op;
        op.signature = sizes.signature;
        op.dtype_in = op.dtype_out = dtype;
        op.calls = 1;
        text += std::string(sizes.op) + ' ' + sizes.signature + '\n' +
                views::to_json(op, targets).at("tensor_core").dump() + '\n';
      }
    }
  }
  expect_golden("verdicts.txt", text);
}

TEST(EveryGpu, IsWhatItWas) {
  std::string text;
  for (const char* name :
       {"P100",        "GTX 1080 Ti",  "GTX 1080",  "GTX 1660 Ti", "GTX 1660",    "GTX 1650",    "V100",
        "V100S",       "TITAN V",      "T4",        "TITAN RTX",   "RTX 2080 Ti", "RTX 2080",    "RTX 2070",
        "RTX 8000",    "RTX 6000 Ada", "RTX 6000",  "A100",        "A30",         "A10",         "A10G",
        "A16",         "A40",          "RTX A6000", "RTX A5000",   "RTX A4000",   "RTX 3090 Ti", "RTX 3090",
        "RTX 3080 Ti", "RTX 3080",     "RTX 3070",  "RTX 3060",    "L4",          "L40",         "L40S",
        "RTX 4090",    "RTX 4080",     "RTX 4070",  "H100 PCIe",   "H100",        "H200",        "H800",
        "GH200",       "B200",         "GB200",     "RTX 5090",    "sm_52",       "sm_72",       "sm_87",
        "sm_90a",      "compute_103",  "12.1",      "sm_91"}) {
    const auto caps = gpu::device_caps(name);
    text += name + (caps ? ": " + caps->name + ", " + std::to_string(caps->major) + "." + std::to_string(caps->minor) +
                               ", " + std::to_string(caps->multiprocessors) + " multiprocessors, aligned to " +
                               std::to_string(caps->alignment_bytes) + (caps->tensor_cores ? "" : ", no Tensor Cores")
                         : std::string(": unknown"));
    text += '\n';
  }
  expect_golden("gpus.txt", text);
}

/// A report with more entries than the summary has room for.
TEST(SummaryOfMany, NamesTheFirstAndCountsTheRest) {
  queries::RunRow run;
  run.run = 1;
  run.level = "O1";
  run.target_gpu = "sm_90";
  analysis::ReportRows rows{{run}, {}, {}, {}};
  for (int i = 0; i < 12; ++i) {
    const std::string name = std::to_string(i);
    queries::OpRow& op = rows.ops.emplace_back();
    op.run = 1;
    op.level = "O1";
    op.op = "mm";
    op.call_site = name + "/mm";
    op.module = name;
    op.calls = 1;
    op.signature = "f16[33,1023] f16[1023,129]";
    op.dtype_in = op.dtype_out = DType::Half;
    op.local = ErrorStats{.count = 1, .sum_sq_error = 1.0 + i, .sum_sq_reference = 1024};
    queries::EventRow& event = rows.events.emplace_back();
    event.run = 1;
    event.level = "O1";
    event.step = i + 1;
    event.by_scaler = true;
    event.first_op = op.call_site;
    rows.missing.push_back(
        {.run = 1, .level = "O1", .missing = {.what = name, .count = 1, .cause = "a reason", .remedy = ""}});
  }
  std::string text;
  for (const int width : {50, 100}) {
    text += views::summary("r.ampprof", rows, analysis::Targets(rows.runs), views::Format::Table, {.width = width});
  }
  expect_golden("summary_of_many.txt", text);
}

}  // namespace every_view_test
}  // namespace ampprof::cli
