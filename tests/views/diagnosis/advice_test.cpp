// SPDX-License-Identifier: Apache-2.0
#include "views/diagnosis/advice.h"

#include <gtest/gtest.h>

#include <string_view>

#include "analysis/diagnosis/finding.h"
#include "precision/advice/advise.h"
#include "reports/queries/run_names.h"
#include "reports/queries/runs.h"

namespace ampprof::views {
namespace advice_test {

queries::RunName run_at(const char* level) { return {2, level}; }

advice::Registration function(const char* module, std::int64_t overflows) {
  return {.op = "mm", .module = module, .because = "it overflows.", .overflows = overflows, .call_sites = {"fc/mm"}};
}

std::string heading(const advice::Advice& advice, const char* level = "O1") {
  const std::string text = formatted(advice, {}, run_at(level), Format::Table, {.width = 200});
  return text.substr(0, text.find('\n'));
}

TEST(AdviceHeading, TellsWhatThePolicyChanges) {
  advice::Advice advice;
  EXPECT_EQ(heading(advice), "No function needs FP32, based on run 2 at O1.");
  EXPECT_EQ(heading(advice, ""), "No function needs FP32, based on run 2.");
  advice.policy = {function("", 0)};
  EXPECT_EQ(heading(advice), "Keep 1 function in FP32, based on run 2 at O1.");
  advice.impact_before = 0.5;
  EXPECT_EQ(heading(advice), "Keep 1 function in FP32, based on run 2 at O1.") << "what remains is not known";
  advice.impact_after = 0.25;
  advice.cost_us = 3.0;
  EXPECT_EQ(heading(advice),
            "Keep 1 function in FP32, based on run 2 at O1: the expected loss impact falls from 5.0e-01 to 2.5e-01; a "
            "step takes 3 µs more.");
  advice.cost_us = -3.0;
  EXPECT_TRUE(heading(advice).ends_with("; a step takes 3 µs less.")) << heading(advice);
  advice.cost_us = 0.0;
  EXPECT_TRUE(heading(advice).ends_with("; a step takes 0 µs more.")) << heading(advice);
}

TEST(AdviceHeading, NamesTheRemedyThatNoPolicyReplaces) {
  const analysis::Finding finding{
      .runs = {2}, .culprit = {.call_site = "2/add"}, .remedies = {{.text = "Do.", .word = "fp32_module=2"}}};
  const std::string text = formatted(advice::Advice(), {finding}, run_at("O1"), Format::Markdown, {});
  EXPECT_NE(
      text.find("No policy fixes the faults, based on run 2 at O1. Try: ampprof run --remedy fp32_module=2 PROGRAM\n"),
      std::string::npos)
      << text;
}

TEST(AdviceNotes, LeaveOutWhatAFindingExplains) {
  advice::Advice advice;
  advice.not_repaired = {{.call_site = "2/div", .note = "FP32 for 2/div alone does not help."}};
  const auto text_with = [&](const std::vector<analysis::Finding>& findings) {
    return formatted(advice, findings, run_at("O1"), Format::Markdown, {});
  };
  const analysis::Finding finding{.runs = {2}, .culprit = {.call_site = "2/add"}, .chain = {"2/add", "2/div"}};
  EXPECT_TRUE(text_with({}).ends_with("\n- FP32 for 2/div alone does not help.\n"));
  EXPECT_EQ(text_with({finding}).find("2/div alone"), std::string::npos);
  EXPECT_EQ(to_json(advice, run_at("O1")).at("notes").dump(), R"(["FP32 for 2/div alone does not help."])");
}

TEST(AdviceTable, MarksFunctionsThatOverflowAndNamesTheirModules) {
  advice::Advice advice;
  advice.policy = {function("", 1), function("fc", 0)};
  const View view = advice_view(advice);
  const auto cells_of = [&](std::string_view key) {
    const auto place = std::ranges::find(view.columns, key, &Column::key) - view.columns.begin();
    std::vector<Cell> cells;
    for (const Record& record : view.records) cells.push_back(record.cells.at(static_cast<std::size_t>(place)));
    return cells;
  };
  EXPECT_EQ(cells_of("overflows"), (std::vector<Cell>{{"1", text::Tone::Bad}, {"0"}}));
  EXPECT_EQ(cells_of("module"), (std::vector<Cell>{{"everywhere"}, {"fc"}}));
  EXPECT_EQ(cells_of("cost_us").at(0).text, "-");
}

TEST(AdviceFormats, EndInTheNotes) {
  advice::Advice advice;
  advice.notes = {"One note that is long.", "Two."};
  EXPECT_EQ(formatted(advice, {}, run_at("O1"), Format::Table, {.width = 20}),
            "No function needs\n  FP32, based on run\n  2 at O1.\n\nOne note that is\n  long.\nTwo.\n");
  EXPECT_EQ(formatted(advice, {}, run_at("O1"), Format::Markdown, {.width = 20}),
            "No function needs FP32, based on run 2 at O1.\n\n- One note that is long.\n- Two.\n");
  advice.policy = {function("fc", 0)};
  advice.notes.clear();
  const std::string text = formatted(advice, {}, run_at("O1"), Format::Markdown, {});
  EXPECT_TRUE(text.starts_with("Keep 1 function in FP32, based on run 2 at O1.\n\n| function | in module |")) << text;
  EXPECT_TRUE(text.ends_with(" |\n")) << "no blank line without notes: " << text;
  const std::string csv = formatted(advice, {}, run_at("O1"), Format::Csv, {});
  EXPECT_TRUE(csv.starts_with("op,module,precision,because,")) << csv;
  EXPECT_NE(csv.find("\nmm,fc,fp32,it overflows.,"), std::string::npos) << csv;
}

TEST(NoRunToAdvise, SaysWhyNoRegistrationHelps) {
  queries::RunRow run = {};
  EXPECT_NE(std::string_view(no_run_to_advise({run})).find("No run of the report trains"), std::string_view::npos);
  run.reduced_type = DType::Half;
  EXPECT_NE(std::string_view(no_run_to_advise({run})).find("own tensors are in a reduced type"),
            std::string_view::npos);
  run.has_compiled_regions = true;
  EXPECT_NE(std::string_view(no_run_to_advise({run})).find("torch.compile"), std::string_view::npos);
}

TEST(AdviceJson, NamesWhatItRestsOn) {
  advice::Advice advice;
  advice.ranking = {{.op = "mm", .module = "", .weight = 0.5, .share = 0.25, .overflows = true}};
  const Json by_impact = to_json(advice, run_at(""));
  EXPECT_TRUE(by_impact.at("level").is_null());
  EXPECT_EQ(by_impact.at("basis"), "loss_impact");
  EXPECT_EQ(by_impact.at("ranking").dump(), R"([{"op":"mm","module":null,"loss_impact_rms":0.5,"share":0.25,)"
                                            R"("local_rel_l2":null,"overflows":true}])");
  Json printed = by_impact;
  printed["findings"] = Json::array();
  EXPECT_EQ(Json::parse(formatted(advice, {}, run_at(""), Format::Json, {})), printed);
  advice.basis = advice::RankingBasis::LocalError;
  const Json by_error = to_json(advice, run_at("O1"));
  EXPECT_EQ(by_error.at("basis"), "local_error");
  EXPECT_EQ(by_error.at("ranking").dump(), R"([{"op":"mm","module":null,"loss_impact_rms":null,"share":null,)"
                                           R"("local_rel_l2":0.5,"overflows":true}])");
}

}  // namespace advice_test
}  // namespace ampprof::views
