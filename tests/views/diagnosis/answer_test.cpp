// SPDX-License-Identifier: Apache-2.0
#include "views/diagnosis/answer.h"

#include <gtest/gtest.h>

#include <limits>

#include "analysis/ops/targets.h"
#include "analysis/ranks/report_rows.h"
#include "reports/queries/impacts.h"
#include "reports/queries/ops.h"
#include "reports/queries/runs.h"
#include "reports/queries/stale_casts.h"
#include "views/diagnosis/missing.h"

namespace ampprof::views {
namespace answer_test {

queries::RunRow run_at(const char* level) {
  queries::RunRow run;
  run.run = 1;
  run.level = level;
  run.complete = true;
  run.exit_code = 0;
  return run;
}

std::vector<std::string> said_of(const analysis::ReportRows& rows) {
  std::vector<std::string> texts;
  for (const Sentence& sentence : answer(rows, analysis::Targets(rows.runs))) texts.push_back(sentence.text);
  return texts;
}

std::vector<std::string> said_of(const queries::RunRow& run) { return said_of({{run}, {}, {}, {}}); }

using Texts = std::vector<std::string>;

TEST(Answers, TellHowARunEnded) {
  EXPECT_EQ(said_of(run_at("O1")), Texts{});
  queries::RunRow run = run_at("O1");
  run.complete = false;
  EXPECT_EQ(said_of(run), Texts{"O1 ended normally, but its recording is incomplete."});
  run.exit_code = 3;
  EXPECT_EQ(said_of(run), Texts{"O1 ended with exit code 3; its numbers cover only what was recorded before."});
  run.complete = true;
  EXPECT_EQ(said_of(run), Texts{"O1 ended with exit code 3; its numbers cover only what was recorded before."});
  run.exit_code.reset();
  EXPECT_EQ(said_of(run), Texts{"O1 is still running or was killed; its numbers cover only what was recorded."});
}

TEST(Answers, TellOfRunsWithoutACast) {
  queries::RunRow run = run_at("O1");
  run.op_calls = 7;
  EXPECT_EQ(said_of(run), Texts{std::string("O1: 0 casts. ") + kNoCasts});
  run.casts = 1;
  EXPECT_EQ(said_of(run), Texts{});
}

TEST(Answers, LeadToWhatRecipesDo) {
  analysis::ReportRows rows{{run_at("")}, {}, {}, {}};
  rows.runs[0].op_calls = 7;
  rows.runs.push_back(rows.runs[0]);
  rows.runs[1].what_if = "mxfp8";
  const std::string lead = "What each recipe does to each layer and to the loss: ampprof show REPORT recipes";
  EXPECT_EQ(said_of(rows), Texts{lead}) << "and no --what-if is recommended";
  rows.runs[1].what_if = "fp16";
  EXPECT_EQ(said_of(rows), Texts{});
  rows.runs.pop_back();
  rows.runs[0].flags = "--impact --screen=mxfp8,nvfp4";
  EXPECT_EQ(said_of(rows).back(), lead);
}

TEST(Answers, SayThatNoFaultIsKnown) {
  analysis::ReportRows rows{{run_at("")}, {}, {}, {}};
  rows.runs[0].op_calls = 7;
  queries::OpRow& op = rows.ops.emplace_back();
  op.run = 1;
  op.dtype_out = DType::Float;
  EXPECT_EQ(said_of(rows),
            Texts{"run 1 computes in FP32. ampprof run --what-if fp16 predicts what FP16 would do to it."});
  rows.runs[0].settings_json = R"({"recipes":"nvfp4"})";
  EXPECT_EQ(said_of(rows), Texts{"The matmuls of run 1 round their operands to nvfp4. All other ops compute in FP32."});
  rows.runs[0].settings_json.clear();
  op.dtype_out = DType::BFloat16;
  EXPECT_EQ(said_of(rows).at(0),
            "No precision fault was found in run 1. Errors that build up over a step or over several steps are only "
            "measured with --inherited.");
  op.inherited.emplace();
  EXPECT_EQ(said_of(rows).at(0), "No precision fault was found in run 1.");
  rows.runs[0].ends_nonfinite = true;
  EXPECT_EQ(said_of(rows).at(0), "run 1 ends with losses that are NaN or inf.");
}

TEST(Answers, CompareEachLossWithThatOfO0) {
  const auto with_loss = [](std::int64_t id, const char* level, double loss) {
    queries::RunRow run = run_at(level);
    run.run = id;
    run.final_loss = run.last_loss_mean = loss;
    return run;
  };
  const analysis::ReportRows rows{{with_loss(1, "O0", 1), with_loss(2, "O1", 1), with_loss(3, "O2", 1),
                                   with_loss(4, "O2", 0.5), with_loss(5, "O3", 2)},
                                  {},
                                  {},
                                  {}};
  EXPECT_EQ(said_of(rows), (Texts{"O2 #2 ends at a lower loss than O0: 0.500 against 1.",
                                  "O3 ends at a higher loss than O0: 2 against 1.",
                                  "O1 and O2 reach the final loss of O0: 1 and 1 against 1."}));
  const auto said = answer(rows, analysis::Targets(rows.runs));
  EXPECT_EQ(said.at(0).tone, text::Tone::Plain);
  EXPECT_EQ(said.at(1).tone, text::Tone::Attention);
}

TEST(Answers, SayThatARunDoesNotTrain) {
  queries::RunRow base = run_at("O0");
  base.final_loss = base.last_loss_mean = 0.5;
  base.loss_fall = 1.5;
  base.loss_fall_noise = 0.1;
  queries::RunRow run = run_at("O3");
  run.run = 2;
  run.final_loss = run.last_loss_mean = 2.0;
  run.loss_fall = 0.0;
  run.loss_fall_noise = 0.1;
  EXPECT_EQ(said_of(analysis::ReportRows{{base, run}, {}, {}, {}}),
            (Texts{"O3 does not train: its loss ends at 2 and does not fall; the loss of O0 falls to 0.500."}));
  run.ends_nonfinite = true;
  EXPECT_EQ(said_of(run), Texts{"O3 ends with losses that are NaN or inf."});
}

TEST(Answers, CountOverflowsByRun) {
  queries::RunRow first = run_at("O1");
  first.overflow_events = 2;
  first.skipped_steps = 2;
  queries::RunRow second = first;
  second.run = 2;
  second.overflow_events = 1;
  second.skipped_steps = 1;
  queries::RunRow third = run_at("O2");
  third.run = 3;
  EXPECT_EQ(said_of({{first, second, third}, {}, {}, {}}),
            Texts{"Gradients overflowed: 2 in O1 (2 steps skipped) and 1 in O1 #2 (1 step skipped)."});
}

TEST(Answers, BeginWithFindings) {
  analysis::ReportRows rows{{run_at("O1")}, {}, {}, {}};
  queries::StaleCastRow& stale = rows.stale_casts.emplace_back();
  stale.run = 1;
  stale.hits = 3;
  rows.runs[0].exit_code = 3;
  const Texts said = said_of(rows);
  ASSERT_EQ(said.size(), 3u);
  EXPECT_TRUE(said[0].starts_with("Calls compute with stale casts")) << said[0];
  EXPECT_TRUE(said[1].starts_with("Do: ")) << said[1];
  EXPECT_EQ(said[2], "O1 ended with exit code 3; its numbers cover only what was recorded before.");
}

TEST(Answers, NameTheLossesThatImpactsAreOn) {
  queries::ImpactRow impact;
  impact.run = 1;
  impact.name = "fc/mm";
  impact.impact = 0.25;
  impact.impact_rms = 0.25;
  queries::ImpactRow other = impact;
  other.loss_id = 1;
  other.impact = -0.5;
  other.impact_rms = 0.5;
  queries::ImpactRow none = impact;
  none.loss_id = 2;
  none.impact = none.impact_rms = 0.0;
  EXPECT_EQ(said_of({{run_at("O1")}, {}, {}, {}, {impact}}),
            Texts{"Reduced precision is predicted to change the loss of O1 by +2.5e-01 per step (signed mean). "
                  "Largest E (expected, RMS): fc/mm 2.5e-01."});
  queries::RunRow known = run_at("O1");
  known.loss_change = 0.5;
  EXPECT_EQ(said_of({{known}, {}, {}, {}, {impact}}),
            Texts{"Reduced precision changes the loss of O1 by +5.0e-01 per step (signed mean; predicted: +2.5e-01). "
                  "Largest E (expected, RMS): fc/mm 2.5e-01."});
  known.what_if = "mxfp8";
  EXPECT_EQ(said_of({{known}, {}, {}, {}, {impact}}).back(),
            "Reduced precision would change the loss of O1 what-if mxfp8 by +5.0e-01 per step (signed mean; predicted: "
            "+2.5e-01). Largest E (expected, RMS): fc/mm 2.5e-01.");
  known.loss_change = std::numeric_limits<double>::infinity();
  EXPECT_EQ(said_of({{known}, {}, {}, {}, {impact}}).size(), 1u) << "nothing is a share of infinity";
  EXPECT_EQ(
      said_of({{run_at("O1")}, {}, {}, {}, {impact, other, none, none}}),
      Texts{"Reduced precision is predicted to change the loss of O1 by +2.5e-01 of loss 0, -5.0e-01 of loss 1 and "
            "0 of loss 2 per step (signed mean). Largest E (expected, RMS): fc/mm 5.0e-01 and fc/mm "
            "2.5e-01."});
}

TEST(Answers, NameTheLargestErrorOfEachPhaseThatComputes) {
  analysis::ReportRows rows{{run_at("O1")}, {}, {}, {}};
  for (const Phase phase : {Phase::Inference, Phase::Optimizer, Phase::Backward, Phase::Forward, Phase::Forward}) {
    queries::OpRow& op = rows.ops.emplace_back();
    op.run = 1;
    op.phase = phase;
    op.call_site = std::to_string(rows.ops.size());
    op.local = ErrorStats{.count = 1, .sum_sq_error = 1.0 / 16, .sum_sq_reference = 1};
  }
  EXPECT_EQ(said_of(rows), Texts{"Largest local error of O1: 4 (2.5e-01), 3 (2.5e-01) and 1 (2.5e-01)."});
}

TEST(Answers, TellWhetherSizesSuitTensorCores) {
  queries::RunRow run = run_at("O1");
  run.target_gpu = "A100";
  analysis::ReportRows rows{{run}, {}, {}, {}};
  const auto add = [&](const char* signature) -> queries::OpRow& {
    queries::OpRow& op = rows.ops.emplace_back();
    op.run = 1;
    op.op = "mm";
    op.call_site = "fc/mm";
    op.calls = 4;
    op.signature = signature;
    op.dtype_in = op.dtype_out = DType::Half;
    return op;
  };
  add("f16[64,64] f16[64,64]");
  EXPECT_EQ(said_of(rows), Texts{"All 1 matmuls and convolutions of O1 have sizes that suit Tensor Cores (A100)."});
  add("f16[64,33] f16[33,64]");
  EXPECT_EQ(said_of(rows), Texts{"1 of the 2 matmuls and convolutions of O1 have sizes that slow down Tensor Cores "
                                 "(A100)."});
  rows.ops.pop_back();
  queries::OpRow& launched = add("f16[64,64] f16[64,64]");
  launched.gpu_us = 5;
  launched.activities = {{.name = "ampere_sgemm_128x64_tn", .count = 1, .gpu_us = 5}};
  EXPECT_EQ(said_of(rows).at(1),
            "1 matmul of O1 could run on Tensor Cores but did not; the longest is fc/mm (5 µs in 4 calls).");
}

TEST(Answers, TellThatTheTypeKeepsMatmulsFromTensorCores) {
  queries::RunRow run = run_at("O1");
  run.target_gpu = "T4";
  analysis::ReportRows rows{{run}, {}, {}, {}};
  const auto add = [&](const char* signature, DType dtype) {
    queries::OpRow& op = rows.ops.emplace_back();
    op.run = 1;
    op.op = "mm";
    op.call_site = "fc/mm";
    op.calls = 4;
    op.signature = signature;
    op.dtype_in = op.dtype_out = dtype;
  };
  add("bf16[64,64] bf16[64,64]", DType::BFloat16);
  add("bf16[64,33] bf16[33,64]", DType::BFloat16);
  EXPECT_EQ(said_of(rows).back(),
            "None of the 2 matmuls and convolutions of O1 can use Tensor Cores (T4). T4 has no Tensor Cores for BF16. "
            "Use FP16.");
  add("f16[64,64] f16[64,64]", DType::Half);
  EXPECT_EQ(said_of(rows).back(),
            "2 of the 3 matmuls and convolutions of O1 cannot use Tensor Cores on T4 (no BF16 on T4: 2). The sizes of "
            "the others suit Tensor Cores.");
  add("f16[64,33] f16[33,64]", DType::Half);
  EXPECT_EQ(said_of(rows).back(),
            "2 of the 4 matmuls and convolutions of O1 cannot use Tensor Cores on T4 (no BF16 on T4: 2). The sizes of "
            "1 more slow down Tensor Cores.");
}

TEST(Answers, TellWhatKeepsTimesFromTheirMeaning) {
  queries::RunRow run = run_at("O1");
  run.ms_per_step = 10;
  run.gpu_ms_per_step = 2.5;
  EXPECT_EQ(said_of(run), Texts{"The GPU is idle for 75% of a step of O1; a faster type cannot shorten that time."});
  queries::RunRow slow = run_at("O1");
  slow.settings_json = R"({"gpus":[{"sm_mhz":1000,"held_back_by":{"power cap":2}}]})";
  queries::RunRow fast = run_at("O0");
  fast.run = 2;
  fast.settings_json = R"({"gpus":[{"sm_mhz":2000}]})";
  EXPECT_EQ(said_of({{slow, fast}, {}, {}, {}}),
            Texts{"The GPU ran at 2000 MHz in O0 and at 1000 MHz in O1 (power cap): their times cannot be compared. "
                  "nvidia-smi --lock-gpu-clocks keeps the clock constant."});
  slow.settings_json = R"({"gpus":[{"sm_mhz":1000}]})";
  EXPECT_NE(said_of({{slow, fast}, {}, {}, {}}).at(0).find("at 1000 MHz in O1: their"), std::string::npos);
}

TEST(Answers, CountWhatIsMissing) {
  EXPECT_EQ(said_of({{run_at("O1")}, {}, {}, {{1, "O1", {"values", 3, "late", ""}}}}),
            Texts{"Not in this report: 1 item. For details, see the view missing."});
}

TEST(Answers, AreWrappedWithAnIndent) {
  EXPECT_EQ(wrapped({"one two three", text::Tone::Bad}, {.width = 7}), "one two\n  three\n");
  EXPECT_EQ(wrapped({"one two three", text::Tone::Bad}, {.width = 7, .colours = true}),
            "\033[31mone two\033[0m\n\033[31m  three\033[0m\n");
}

}  // namespace answer_test
}  // namespace ampprof::views
