// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "analysis/ops/targets.h"
#include "analysis/ranks/report_rows.h"
#include "reports/queries/casts.h"
#include "reports/queries/events.h"
#include "reports/queries/impacts.h"
#include "reports/queries/losses.h"
#include "reports/queries/missing.h"
#include "reports/queries/ops.h"
#include "reports/queries/report.h"
#include "reports/queries/run_names.h"
#include "reports/queries/runs.h"
#include "reports/queries/scales.h"
#include "reports/queries/updates.h"
#include "reports/records/dtype.h"
#include "reports/records/statistics.h"
#include "reports/text/elide.h"
#include "reports/text/usage_error.h"
#include "tests/cli/synthetic_report.h"
#include "tests/reports/sample_report.h"
#include "views/diagnosis/answer.h"
#include "views/diagnosis/missing.h"
#include "views/diagnosis/summary.h"
#include "views/events/views.h"
#include "views/gpu/views.h"
#include "views/losses/views.h"
#include "views/ops/views.h"
#include "views/runs/views.h"
#include "views/table/format.h"

namespace ampprof::views {
namespace report_views_test {

class ReportViews : public testing::Test {
 protected:
  ReportViews() : report_(written(folder_ / "digits.ampprof")), runs_(queries::runs(report_)), targets_(runs_) {}

  View ops(Selection selection = {}) const {
    View view = ops_view(queries::ops(report_), targets_);
    select(view, selection);
    return view;
  }
  std::vector<View> all() const {
    return {runs_view(runs_),
            ops(),
            events_view(queries::events(report_)),
            tensor_cores_view(queries::ops(report_), targets_),
            ranges_view(queries::ops(report_)),
            impact_view(queries::impacts(report_)),
            casts_view(queries::casts(report_)),
            optimizer_view(queries::updates(report_)),
            losses_view(queries::losses(report_)),
            loss_scale_view(queries::runs_named(report_), queries::ops(report_), queries::scales(report_)),
            missing_view(queries::missing(report_), {})};
  }
  std::string page(Format format, int width) const {
    const analysis::ReportRows findings{runs_, queries::ops(report_), queries::events(report_),
                                        queries::missing(report_), queries::impacts(report_)};
    return summary("digits.ampprof", findings, targets_, format, {.width = width});
  }

  testing_reports::TemporaryFolder folder_;
  queries::Report report_;
  std::vector<queries::RunRow> runs_;
  analysis::Targets targets_;

 private:
  static std::filesystem::path written(const std::filesystem::path& path) {
    cli::write_synthetic_report(path);
    return path;
  }
};

TEST_F(ReportViews, GiveOneOpTheKeysOfTheContract) {
  const Json json = ops({.run = "O1", .phase = "forward", .op = "conv2d"}).records.at(0).json;
  EXPECT_EQ(json.dump(),
            R"({"run":2,"level":"O1","call_site":"features.conv1/conv2d","phase":"forward",)"
            R"("module":"features.conv1","op":"conv2d","source":"train.cpp:31","calls":12,)"
            R"("input_shapes":"f32[64,1,28,28] f32[32,1,3,3] f32[32] groups=1","dtype_in":"f32",)"
            R"("dtype_out":"f16","cpu_us":6000.0,"cpu_us_per_call":500.0,"gpu_us":null,"cast_bytes":0,)"
            R"("local_rel_l2":0.00048828125,"local_max_abs":0.001953125,"local_max_ulp":0.5,)"
            R"("local_mean_ulp":0.125,"local_cosine":1.0,"inherited_rel_l2":null,"nonfinite":0,)"
            R"("flushed":0,"rounds_to_inf":0,"rounds_to_zero":0,"subnormal":0,"amax":4.0,"scale":null,)"
            R"("loss_impact":0.015625,"loss_impact_rms":0.015625,"loss_impact_size":0.015625,)"
            R"("gradient_impact":null,"gradient_impact_size":null,"gradient_impact_share":null,)"
            R"("gradient_impact_is_ranking_only":false,"tensor_core":{"dims":{"C_in":1,"C_out":32,)"
            R"("batch":64,"groups":1},"dtype_ok":true,"rule_2018":"not_aligned",)"
            R"("rule_today":"inefficient","offending":"C_in = 1","padded":"C_in = 8",)"
            R"("padding_cost":7.0,"padded_extra_flops":null,"padded_extra_bytes":null,)"
            R"("tile_fill":null,"waves":null,"tail_share":null,"findings":)" +
                json.at("tensor_core").at("findings").dump() + R"(,"reason":)" +
                json.at("tensor_core").at("reason").dump() +
                R"(,"executed":"unknown","evidence":"no kernel record","target_gpu":"sm_90","why":null},"call_sites":1})");
}

TEST_F(ReportViews, SayNullWhereThereIsNoError) {
  const Json json = ops({.run = "O0", .op = "conv2d"}).records.at(0).json;
  EXPECT_TRUE(json.at("local_rel_l2").is_null());
  EXPECT_TRUE(json.at("flushed").is_null()) << "no made-up 0";
  EXPECT_EQ(json.at("nonfinite"), 0) << "counted without a reference";
}

TEST_F(ReportViews, GiveARunTheKeysOfTheContract) {
  const Json json = runs_view(runs_).records.at(1).json;
  EXPECT_EQ(json.at("steps"), 12);
  EXPECT_EQ(json.at("skipped_steps"), 1);
  EXPECT_EQ(json.at("ms_per_step"), 32.0);
  EXPECT_EQ(json.at("overhead_ms_per_step"), 8.0);
  EXPECT_EQ(json.at("peak_bytes"), 64000000);
  EXPECT_EQ(json.at("loss_scale_final"), 32768.0);
  EXPECT_EQ(json.at("complete"), true);
  EXPECT_EQ(json.at("settings").at("threads"), 2);
}

TEST_F(ReportViews, WriteNanAsAWord) {
  EXPECT_EQ(runs_view(runs_).records.at(2).json.at("final_loss"), "nan");
  EXPECT_EQ(exact(-std::numeric_limits<double>::infinity()), "-inf");
}

TEST_F(ReportViews, GiveAnEventTheKeysOfTheContract) {
  EXPECT_EQ(
      events_view(queries::events(report_)).records.at(0).json.dump(),
      R"({"run":2,"level":"O1","step":3,"micro_batch":1,"loss_id":0,"by_scaler":true,"scale_before":65536.0,"scale_after":32768.0,"skipped":true,)"
      R"("first_op":"backward features.conv1/convolution_backward","first_op_phase":"backward","cause":"too large","value":524288.0,"fp32_holds":true,"shadow_holds":null,)"
      R"("outcome":"skipped","reached":"features.conv1.weight","outcome_op":null,"calls":1,"steps":1,)"
      R"("first_op_source":null,"parameters":[)"
      R"({"name":"features.conv1.weight","nan":0,"inf":3,"finite_amax":65504.0,"over_65504":1.0},)"
      R"({"name":"features.conv1.bias","nan":1,"inf":0,"finite_amax":null,"over_65504":null}],)"
      R"("chain":["backward features.conv1/convolution_backward"],"largest_safe_scale":8192.0,)"
      R"("largest_safe_scale_is_bound":true})");
}

// CSV must have the keys of JSON, and each record must have a cell for each table column.
TEST_F(ReportViews, HaveTheSameKeysInCsvAsInJson) {
  for (const View& view : all()) {
    ASSERT_FALSE(view.records.empty()) << view.name;
    std::set<std::string> in_csv;
    for (const std::string& key : view.keys) in_csv.insert(key.substr(0, key.find('.')));
    std::set<std::string> in_json;
    for (const auto& [key, value] : view.records.at(0).json.items()) in_json.insert(key);
    EXPECT_EQ(in_csv, in_json) << view.name;
    for (const Record& record : view.records) EXPECT_EQ(record.cells.size(), view.columns.size()) << view.name;
  }
}

TEST_F(ReportViews, QuoteCsvFieldsThatNeedIt) {
  View view = missing_view({{1, "O1", {"a \"tail\"", 2, "One, two.", ""}}}, {});
  EXPECT_EQ(formatted(view, Format::Csv, {}),
            "run,level,what,count,cause,remedy,share\n"
            "1,O1,\"a \"\"tail\"\"\",2,\"One, two.\",,\n");
}

TEST_F(ReportViews, FitTheirTerminal) {
  for (const View& view : all()) {
    for (const int width : {72, 80, 160}) {
      std::istringstream lines(formatted(view, Format::Table, {.width = width}));
      for (std::string line; std::getline(lines, line);)
        EXPECT_LE(text::display_width(line), width) << view.name << '\n' << line;
    }
  }
}

TEST_F(ReportViews, PutWhatChangesTheLossMostFirstThenTheLargestError) {
  const View view = ops({.run = "2"});
  EXPECT_EQ(view.records.at(0).json.at("call_site"), "features.conv1/conv2d");
  EXPECT_EQ(view.records.at(1).json.at("call_site"), "classifier.fc2/linear");
  EXPECT_EQ(view.records.at(2).json.at("phase"), "backward");
  EXPECT_EQ(view.records.back().json.at("phase"), "optimizer") << "it has no local error";
}

TEST_F(ReportViews, SortByAnyKey) {
  EXPECT_EQ(ops({.run = "O1", .sort = "nonfinite"}).records.at(0).json.at("op"), "convolution_backward");
  EXPECT_EQ(ops({.run = "O1", .sort = "op"}).records.at(0).json.at("op"), "add_.Tensor");
  EXPECT_EQ(ops({.run = "O1", .sort = "NaN/inf"}).records.at(0).json.at("op"), "convolution_backward");
  EXPECT_EQ(ops({.run = "O1", .sort = "tensor_core.padding_cost"}).records.at(0).json.at("module"), "features.conv1");
}

TEST_F(ReportViews, SelectByRunPhaseOpAndModule) {
  EXPECT_EQ(ops({.run = "o1"}).records.size(), 5u);
  EXPECT_EQ(ops({.run = "2", .phase = "backward"}).records.size(), 2u);
  EXPECT_EQ(ops({.op = "^conv"}).records.size(), 6u);
  EXPECT_EQ(ops({.module = "fc[0-9]$"}).records.size(), 6u);
  EXPECT_EQ(ops({.op = "nothing"}).records.size(), 0u);
}

TEST_F(ReportViews, SayHowManyRowsALimitLeavesOut) {
  View view = ops();
  EXPECT_EQ(select(view, {.limit = 4}), 11u);
  EXPECT_EQ(view.records.size(), 4u);
}

struct BadSelection {
  const char* name;
  Selection selection;
  const char* says;
};

void PrintTo(const BadSelection& bad, std::ostream* out) { *out << bad.name; }

class BadSelections : public testing::TestWithParam<BadSelection> {};

TEST_P(BadSelections, GetASentence) {
  View view = runs_view({});
  view.keys.push_back("op");
  try {
    select(view, GetParam().selection);
    FAIL() << "accepted";
  } catch (const text::UsageError& error) {
    EXPECT_NE(std::string(error.what()).find(GetParam().says), std::string::npos) << error.what();
  }
}

INSTANTIATE_TEST_SUITE_P(
    Selection, BadSelections,
    testing::Values(BadSelection{"unknown_key", {.sort = "final_los"}, "Did you mean 'final_loss'?"},
                    BadSelection{"unknown_title", {.sort = "last los"}, "Did you mean 'last loss'?"},
                    BadSelection{"bad_regex", {.op = "("}, "not a regular expression"},
                    BadSelection{"endless_regex", {.op = std::string(100000, '(')}, "this one has 100000"},
                    BadSelection{"phase_of_a_run", {.phase = "forward"}, "does not apply"},
                    BadSelection{"module_of_a_run", {.module = "x"}, "does not apply"}),
    [](const auto& info) { return info.param.name; });

TEST(Selection, SearchesAnEndlessNameForASlowPattern) {
  View view{.name = "ops",
            .keys = {"module"},
            .columns = {},
            .records = {{.values = {std::string(1 << 20, 'x')}}},
            .none = ""};
  select(view, {.module = "(x*)*(x|xx)*y"});
  EXPECT_TRUE(view.records.empty());
}

TEST_F(ReportViews, JudgeTensorCoresForTheGpuAskedFor) {
  const analysis::Targets volta(runs_, "V100");
  const View view = tensor_cores_view(queries::ops(report_, 2), volta);
  ASSERT_EQ(view.records.size(), 4u);
  EXPECT_EQ(at_key(view.records.at(0).json, "tensor_core.target_gpu"), "V100");
}

TEST_F(ReportViews, PutMatmulsThatCannotUseTensorCoresFirst) {
  const auto matmul = [](const char* name, DType dtype, const char* signature) {
    queries::OpRow row;
    row.run = 2;
    row.call_site = name;
    row.op = "mm";
    row.dtype_out = dtype;
    row.signature = signature;
    return row;
  };
  const std::vector<queries::OpRow> ops{matmul("well", DType::Half, "f16[64,32] f16[32,8]"),
                                        matmul("double", DType::Double, "f64[64,32] f64[32,8]"),
                                        matmul("off", DType::Half, "f16[64,33] f16[33,8]")};
  const View view = tensor_cores_view(ops, analysis::Targets(runs_, "V100"));
  std::vector<std::string> order;
  for (const Record& record : view.records) order.push_back(record.json.at("call_site"));
  EXPECT_EQ(order, (std::vector<std::string>{"double", "off", "well"}));
  EXPECT_EQ(text_at(view, view.records[0], "tensor_core.why"), "no FP64 on V100");
  EXPECT_EQ(text_at(view, view.records[1], "tensor_core.why"), "");
}

// cuBLAS and cuDNN each have a switch for TF32. The defaults in LibTorch differ.
TEST_F(ReportViews, JudgeFp32ByTheSwitchOfItsLibrary) {
  std::vector<queries::RunRow> runs = runs_;
  const auto takes = [&](const char* settings, const char* op) {
    for (queries::RunRow& run : runs) run.settings_json = settings;
    for (const queries::OpRow& row : queries::ops(report_, 1)) {
      if (row.op == op) return analysis::Targets(runs, "A100").verdict(row)->dtype_ok;
    }
    ADD_FAILURE() << op;
    return false;
  };
  EXPECT_TRUE(takes(R"({"tf32_matmul":true,"tf32_cudnn":false})", "linear"));
  EXPECT_FALSE(takes(R"({"tf32_matmul":true,"tf32_cudnn":false})", "conv2d"));
  EXPECT_FALSE(takes(R"({"tf32_matmul":false,"tf32_cudnn":true})", "linear"));
  EXPECT_TRUE(takes(R"({"tf32_matmul":false,"tf32_cudnn":true})", "conv2d"));
  EXPECT_FALSE(takes("", "conv2d"));
}

TEST_F(ReportViews, AnswerFirst) {
  const analysis::ReportRows findings{runs_, queries::ops(report_), queries::events(report_), queries::missing(report_),
                                      queries::impacts(report_)};
  std::vector<std::string> texts;
  for (const Sentence& statement : answer(findings, targets_)) texts.push_back(statement.text);
  EXPECT_EQ(texts,
            (std::vector<std::string>{
                "O3 ended with exit code 3; its numbers cover only what was recorded before.",
                "O3 ends with losses that are NaN or inf.",
                "O1 reaches the final loss of O0: 0.361 ± 0.057 against 0.361 ± 0.057 (mean ± standard error).",
                "Gradients overflowed: 1 in O1 (1 step skipped).",
                "No precision fault was found in O1. Errors that build up over a step or over several steps are only "
                "measured with --inherited.",
                "Reduced precision is predicted to change the loss of O1 by +1.5e-02 per step (signed mean). Largest E "
                "(expected, RMS): features.conv1/conv2d 1.6e-02.",
                "Largest local error of O1: features.conv1/conv2d (4.9e-04) and backward classifier.fc2/mm (9.8e-04).",
                "4 of the 4 matmuls and convolutions of O1 have sizes that slow down Tensor Cores (sm_90).",
                "Not in this report: 2 items. For details, see the view missing.",
                "FP16 was emulated on the CPU: errors match Tensor Cores, times do not.",
            }));
}

TEST(Answer, TellsAWorseLossFromNoise) {
  queries::RunRow base;
  base.run = 1;
  base.level = "O0";
  base.final_loss = base.last_loss_mean = 1.0;
  base.last_loss_noise = 0.01;
  base.complete = true;
  base.exit_code = 0;
  queries::RunRow worse = base;
  worse.run = 2;
  worse.level = "O2";
  worse.final_loss = worse.last_loss_mean = 1.5;
  const std::vector<queries::RunRow> runs{base, worse};
  const auto said = answer({runs, {}, {}, {}}, analysis::Targets(runs));
  ASSERT_EQ(said.size(), 1u);
  EXPECT_EQ(said[0].text, "O2 ends at a higher loss than O0: 1.50 ± 0.01 against 1 ± 0.01.");
  EXPECT_EQ(said[0].tone, text::Tone::Attention);
}

TEST(Answer, NamesTheFirstOpThatDiverges) {
  queries::RunRow run;
  run.run = 1;
  run.level = "O1";
  run.complete = true;
  run.exit_code = 0;
  queries::OpRow op;
  op.run = 1;
  op.call_site = "conv1/conv2d";
  op.inherited = ErrorStats{.count = 1, .sum_sq_error = 0.0625, .sum_sq_reference = 1};
  analysis::ReportRows findings{{run}, {op}, {}, {}};
  const auto said = [&] { return answer(findings, analysis::Targets(findings.runs)).at(0).text; };
  EXPECT_EQ(said(),
            "The accumulated error of O1 (relative to the same step in FP32) first reaches 0.01 at conv1/conv2d, where "
            "it is 2.5e-01.");
  EXPECT_NE(summary("r.ampprof", findings, analysis::Targets({run}), Format::Json, {}).find("\"first_diverging\""),
            std::string::npos);
  findings.threshold = 0.5;
  findings.runs[0].reference = "fp64";
  EXPECT_EQ(said(), "The accumulated error of O1 stays below 0.5 (relative to the same step in FP64).");
  findings.ops[0].inherited.reset();
  EXPECT_TRUE(answer(findings, analysis::Targets(findings.runs)).empty()) << "nothing is known";
}

TEST_F(ReportViews, SummaryFitsAPage) {
  for (const int width : {80, 160}) {
    const std::string text = page(Format::Table, width);
    EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 60);
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(text::display_width(line), width) << line;
  }
}

TEST_F(ReportViews, SummaryHasRoomForFourRunsAtEightyCells) {
  std::vector<queries::RunRow> runs(7, runs_.at(1));
  for (std::size_t i = 0; i < runs.size(); ++i) runs[i].run = static_cast<std::int64_t>(i) + 1;
  const std::string text =
      summary("r.ampprof", {runs, {}, {}, {}}, analysis::Targets(runs), Format::Table, {.width = 80});
  EXPECT_NE(text.find("O1 #4"), std::string::npos) << text;
  EXPECT_NE(text.find("more: ampprof show r.ampprof runs"), std::string::npos) << text;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(text::display_width(line), 80) << line;
}

TEST_F(ReportViews, SummaryNamesWhatItFound) {
  const std::string text = page(Format::Table, 160);
  for (const char* part :
       {"O1 step 3: scale 65536 -> 32768, skipped, first non-finite: backward features.conv1/convolution_backward "
        "(exceeds 65504 (524k)); parameters\n  features.conv1.weight, features.conv1.bias\n",
        "bwd features.conv1/convolution_backward  f16  f16     12      9.8e-04     2.50       84        4\n",
        "local error of dropout (12x, O3): Its result is random.\n", "C_in = 1   C_in = 8  +700%\n"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\nis not in\n" << text;
  }
}

TEST_F(ReportViews, SummaryIsOneObjectInJson) {
  const Json json = Json::parse(page(Format::Json, 80));
  EXPECT_EQ(json.at("runs").size(), 3u);
  EXPECT_EQ(json.at("top_ops").size(), 4u);
  EXPECT_EQ(json.at("events").size(), 1u);
  EXPECT_EQ(json.at("tensor_cores").size(), 4u);
  EXPECT_EQ(json.at("missing").size(), 2u);
  EXPECT_EQ(json.at("answer").size(), 10u);
  EXPECT_EQ(json.at("findings"), Json::array());
}

TEST_F(ReportViews, MarkdownHoldsTheSameTables) {
  EXPECT_NE(formatted(runs_view(runs_), Format::Markdown, {}).find("| 2 | O1 | sample:mnist_cnn | cpu |"),
            std::string::npos);
  EXPECT_NE(page(Format::Markdown, 80).find("## Non-finite events\n\n- O1 step 3"), std::string::npos);
}

TEST(EmptyReport, IsReportedAsEmpty) {
  EXPECT_EQ(formatted(runs_view({}), Format::Table, {}),
            "The report holds no run: the program has not been started yet.\n");
  EXPECT_EQ(formatted(runs_view({}), Format::Json, {}), "[]\n");
  const std::string text = summary("r.ampprof", {}, analysis::Targets({}), Format::Table, {});
  EXPECT_EQ(text, "r.ampprof\n\nThe report holds no run.\n");
}

}  // namespace report_views_test
}  // namespace ampprof::views
