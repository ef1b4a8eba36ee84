// SPDX-License-Identifier: Apache-2.0
#include "views/diagnosis/summary.h"

#include <gtest/gtest.h>

#include <limits>

#include "analysis/ops/targets.h"
#include "analysis/ranks/ranks.h"
#include "analysis/ranks/report_rows.h"
#include "analysis/ranks/representatives.h"
#include "reports/queries/events.h"
#include "reports/queries/ops.h"
#include "reports/queries/runs.h"
#include "views/diagnosis/missing.h"
#include "views/diagnosis/run_metrics.h"

namespace ampprof::views {
namespace summary_test {

queries::RunRow run_at(const char* level) {
  queries::RunRow run;
  run.run = 1;
  run.level = level;
  run.program = "./train";
  run.complete = true;
  run.exit_code = 0;
  return run;
}

std::string page(const analysis::ReportRows& rows, Format format = Format::Table) {
  return summary("folder/r.ampprof", rows, analysis::Targets(rows.runs), format, {.width = 200});
}

bool has_line(const analysis::ReportRows& rows, const std::string& line, Format format = Format::Table) {
  return page(rows, format).find('\n' + line + '\n') != std::string::npos;
}

/// Returns the rows of 64 ranks at O1. Rank 9 did not finish.
analysis::ReportRows rows_of_ranks() {
  analysis::ReportRows rows;
  analysis::RankedLaunch launch;
  for (std::int64_t rank = 0; rank < 64; ++rank) {
    queries::RunRow run = run_at("O1");
    run.run = rank + 1;
    run.rank = rank;
    run.world_size = 64;
    run.overflow_events = 1;
    if (rank == 9) run.complete = false;
    if (rank == 9) run.exit_code.reset();
    rows.runs.push_back(run);
    launch.ranks.push_back({.run = run, .record = {}});
  }
  rows.representatives = analysis::represent(rows.runs, {launch});
  return rows;
}

TEST(SummaryOfManyRanks, ShowsTheLowestAndThoseThatStandOut) {
  const analysis::ReportRows rows = rows_of_ranks();
  const std::string text = page(rows);
  EXPECT_TRUE(has_line(rows, "1 of 64 ranks at O1 stands out: 9. Shown: rank 0 and those that stand out.")) << text;
  EXPECT_NE(text.find("O1 rank 9\n"), std::string::npos) << "the last column: " << text;
  EXPECT_EQ(text.find("rank 1"), std::string::npos) << text;
  EXPECT_TRUE(has_line(rows, "62 more: ampprof show folder/r.ampprof ranks")) << text;
  EXPECT_TRUE(has_line(rows,
                       "Gradients overflowed: 1 in O1 rank 0 (0 steps skipped) and 1 in O1 rank 9 (0 steps "
                       "skipped)."))
      << text;
  EXPECT_EQ(Json::parse(page(rows, Format::Json)).at("runs").size(), 64u) << "JSON holds all";
}

TEST(SummaryHeading, NamesWhatIsKnown) {
  const auto heading = [](const std::vector<queries::RunRow>& runs) {
    const std::string text = page({runs, {}, {}, {}});
    return text.substr(0, text.find('\n'));
  };
  EXPECT_EQ(heading({}), "r.ampprof");
  EXPECT_EQ(heading({run_at("O0"), run_at("O1")}), "r.ampprof: ./train, 2 runs");
  queries::RunRow run = run_at("O0");
  run.device = "cpu";
  run.torch_version = "2.11.0";
  EXPECT_EQ(heading({run}), "r.ampprof: ./train on cpu, LibTorch 2.11.0, 1 run");
}

TEST(SummaryEvents, AreSentences) {
  analysis::ReportRows rows{{run_at("O1")}, {}, {}, {}};
  queries::EventRow& event = rows.events.emplace_back();
  event.run = 1;
  event.step = 7;
  event.outcome = NonfiniteOutcome::Loss;
  EXPECT_TRUE(has_line(rows, "O1 step 7: first non-finite: unknown, in a loss")) << page(rows);
  event.by_scaler = true;
  event.scale_before = 8;
  event.scale_after = 4;
  EXPECT_TRUE(has_line(rows, "O1 step 7: scale 8 -> 4, first non-finite: unknown")) << page(rows);
  event.run = 9;
  event.loss_id = 1;
  event.skipped = true;
  event.first_op = "fc/mm";
  event.first_op_source = "src/model.cpp:3";
  for (const char* name : {"a", "b", "c"}) event.parameters.emplace_back().name = name;
  EXPECT_TRUE(has_line(rows,
                       "run 9 step 7 (loss 1): scale 8 -> 4, skipped, first non-finite: fc/mm at model.cpp:3; "
                       "parameters a, b, c"))
      << page(rows);
  event.parameters.resize(5);
  EXPECT_NE(page(rows).find("; parameters a, b, c, 2 more\n"), std::string::npos) << page(rows);
}

TEST(SummaryOfErrors, NamesTwoOpsOfRarePhasesAndSixOfOthers) {
  analysis::ReportRows rows{{run_at("O1")}, {}, {}, {}};
  for (const Phase phase : kPhases) {
    for (int i = 0; i < 9; ++i) {
      queries::OpRow& op = rows.ops.emplace_back();
      op.run = 1;
      op.phase = phase;
      op.call_site = std::string(name_of(phase)) + " site";
      op.local = ErrorStats{.count = 1, .flushed = 1, .sum_sq_error = 1, .sum_sq_reference = 1};
    }
  }
  const std::string text = page(rows);
  const auto times = [&](const std::string& part) {
    std::size_t n = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
    return n;
  };
  EXPECT_EQ(times("\nbwd site"), 6u) << text;
  EXPECT_EQ(times("\nrecompute site"), 6u);
  EXPECT_EQ(times("\nopt site"), 2u);
  EXPECT_EQ(times("\neval site"), 2u);
  EXPECT_NE(text.find("Largest local errors of O1 (against fp32)\n"), std::string::npos) << text;
  EXPECT_NE(page(rows, Format::Markdown).find("\n\n`all: ampprof show folder/r.ampprof ops`\n"), std::string::npos);
  rows.runs[0].reference = "fp64";
  EXPECT_NE(page(rows).find("Largest local errors of O1 (against fp64)\n"), std::string::npos);
}

TEST(SummaryOfMissingThings, HasRemedies) {
  const auto line = [](const char* cause, const char* remedy, const std::string& expected) {
    const analysis::ReportRows rows{{run_at("O1")}, {}, {}, {{1, "O1", {"values", 2, cause, remedy}}}};
    EXPECT_TRUE(has_line(rows, expected)) << page(rows);
    EXPECT_TRUE(has_line(rows, "- " + expected, Format::Markdown) ||
                page(rows, Format::Markdown).ends_with("- " + expected + '\n'));
  };
  line("", "", "values (2x, O1)");
  line("They are late.", "", "values (2x, O1): They are late.");
  line("They are late.", "Wait.", "values (2x, O1): They are late. Remedy: Wait.");
  line("late", "Wait.", "values (2x, O1): late. Remedy: Wait.");
}

TEST(SummaryInOtherFormats, HoldsTheRunsAsCsvAndTablesInMarkdown) {
  const analysis::ReportRows rows{{run_at("O1")}, {}, {}, {}};
  EXPECT_TRUE(page(rows, Format::Csv).starts_with("run,level,program,")) << page(rows, Format::Csv);
  EXPECT_NE(page(rows, Format::Csv).find("\n1,O1,./train,"), std::string::npos);
  const std::string markdown = page(rows, Format::Markdown);
  EXPECT_TRUE(
      markdown.starts_with("# r.ampprof: ./train, 1 run\n\n\n## Runs\n\n|  | O1 |\n| --- | ---: |\n| steps | 0 |\n"))
      << markdown;
  EXPECT_EQ(markdown.find('`'), std::string::npos) << "nothing was left out: " << markdown;
}

TEST(SummaryInOtherFormats, IsAboutSingleCallSitesInJson) {
  analysis::ReportRows rows{{run_at("O1")}, {}, {}, {}};
  queries::OpRow& op = rows.ops.emplace_back();
  op.run = 1;
  op.local = op.inherited = ErrorStats{.count = 1, .sum_sq_error = 1, .sum_sq_reference = 1};
  rows.events.emplace_back().step = 7;
  const Json json = Json::parse(page(rows, Format::Json));
  EXPECT_EQ(json.at("top_ops").at(0).at("call_sites"), 1);
  EXPECT_EQ(json.at("first_diverging").at("call_sites"), 1);
  EXPECT_EQ(json.at("runs").at(0).at("level"), "O1");
  EXPECT_EQ(json.at("events").at(0).at("step"), 7);
}

std::string figure(const queries::RunRow& run, std::string_view title, const std::vector<queries::OpRow>& ops = {}) {
  const analysis::ReportRows rows{{run}, ops, {}, {}};
  for (const RunFigure& figure : run_metrics(rows, analysis::Targets(rows.runs))) {
    if (figure.title == title) return figure.runs.at(0).cell.text;
  }
  return "left out";
}

TEST(RunFigures, HaveUpdatesOfSeveralOptimizers) {
  queries::RunRow run = run_at("O1");
  run.optimizers = {{.id = 1, .parameter = "g.weight", .parameters = 1, .updates = 7, .skipped = 1}};
  EXPECT_EQ(figure(run, "updates"), "left out") << "skipped steps say it all";
  run.optimizers.push_back({.id = 2, .parameter = "", .parameters = 3, .updates = 8});
  EXPECT_EQ(figure(run, "updates"), "g.weight: 7 (1 skipped); a parameter and 2 more: 8");
}

TEST(RunFigures, SayWhatIsKnown) {
  queries::RunRow run = run_at("O1");
  run.steps = 12;
  EXPECT_EQ(figure(run, "steps"), "12");
  run.warm_up_steps = 1;
  EXPECT_EQ(figure(run, "steps"), "12 (1 to warm up)");
  EXPECT_EQ(figure(run, "time/step"), "-");
  EXPECT_EQ(figure(run, "of that ampprof's"), "-");
  run.overhead_ms_per_step = 0.25;
  EXPECT_EQ(figure(run, "of that ampprof's"), "-");
  run.ms_per_step = 0.5;
  EXPECT_EQ(figure(run, "time/step"), "500 µs");
  EXPECT_EQ(figure(run, "of that ampprof's"), "50%");
  run.ms_per_step_noise = 0.125;
  EXPECT_EQ(figure(run, "time/step"), "500 µs ±25%");
  run.ms_per_step = 0;
  EXPECT_EQ(figure(run, "time/step"), "0 µs");
  EXPECT_EQ(figure(run, "of that ampprof's"), "-");
  EXPECT_EQ(figure(run, "GPU clock"), "left out") << "no run saw a GPU";
  run.gpu_ms_per_step = 1;
  EXPECT_EQ(figure(run, "GPU clock"), "-");
  run.settings_json = R"({"gpus":[{"sm_mhz":1500,"sm_mhz_lowest":1400,"sm_mhz_highest":1400}]})";
  EXPECT_EQ(figure(run, "GPU clock"), "1500 MHz");
  run.settings_json = R"({"gpus":[{"sm_mhz":1500,"sm_mhz_lowest":1400,"sm_mhz_highest":1600}]})";
  EXPECT_EQ(figure(run, "GPU clock"), "1500 MHz (1400-1600)");
}

TEST(RunFigures, ShowLossesToTheLastDigitAndCountThoseThatAreNotFinite) {
  queries::RunRow run = run_at("O1");
  EXPECT_EQ(figure(run, "first loss"), "-");
  EXPECT_EQ(figure(run, "mean of last losses"), "-");
  run.initial_loss = double{3687.037353515625F};
  run.final_loss = std::numeric_limits<double>::quiet_NaN();
  run.last_loss_mean = 1.5;
  run.last_loss_noise = 0.25;
  EXPECT_EQ(figure(run, "first loss"), "3687.03735");
  EXPECT_EQ(figure(run, "last loss"), "nan");
  EXPECT_EQ(figure(run, "mean of last losses"), "1.50 ±0.25");
  EXPECT_EQ(figure(run, "losses not finite"), "0");
  run.last_losses_nonfinite = 2;
  run.nonfinite_losses = 7;
  EXPECT_EQ(figure(run, "mean of last losses"), "1.50 ±0.25 (2 not finite)");
  EXPECT_EQ(figure(run, "losses not finite"), "7");
}

TEST(RunFigures, NameTheLargestErrorAndTheShareOfCallsThatTensorCoresTake) {
  queries::RunRow run = run_at("O1");
  run.target_gpu = "V100";
  const auto matmul = [](std::int64_t run_id, double error, std::int64_t calls, DType type) {
    queries::OpRow op;
    op.run = run_id;
    op.op = "mm";
    op.calls = calls;
    op.signature = "f16[64,64] f16[64,64]";
    op.dtype_out = type;
    op.local = ErrorStats{.count = 1, .sum_sq_error = error * error, .sum_sq_reference = 1};
    return op;
  };
  const std::vector ops{matmul(1, 0.25, 3, DType::Half), matmul(1, 0.5, 3, DType::Half), matmul(2, 4, 9, DType::Half),
                        matmul(1, 0.125, 2, DType::Half)};
  EXPECT_EQ(figure(run, "largest local error", ops), "5.0e-01");
  EXPECT_EQ(figure(run, "largest local error"), "-");
  EXPECT_EQ(figure(run, "can use Tensor Cores", ops), "100%, suit 100%");
  EXPECT_EQ(figure(run, "can use Tensor Cores"), "-");
  std::vector some = ops;
  some[0].signature = "f16[64,33] f16[33,64]";
  some[1].dtype_out = DType::BFloat16;
  EXPECT_EQ(figure(run, "can use Tensor Cores", some), "63%, suit 25%") << "5 and 2 of 8 calls";
}

}  // namespace summary_test
}  // namespace ampprof::views
