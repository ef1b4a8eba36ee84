// SPDX-License-Identifier: Apache-2.0
#include "views/diagnosis/findings.h"

#include <gtest/gtest.h>

#include "analysis/diagnosis/finding.h"
#include "reports/queries/runs.h"

namespace ampprof::views {
namespace findings_test {

using analysis::Confidence;
using analysis::Finding;

Finding overflow() {
  return {.kind = "overflow_held_by_fp32",
          .runs = {2},
          .culprit = {"gram/bmm", "/home/me/train.py:34", "bmm", "gram"},
          .mechanism = "It overflows.",
          .consequence = "6 steps are skipped.",
          .cost = 0.5,
          .confidence = Confidence::Certain,
          .remedies = {{"Run bmm in FP32.", "bmm fp32 in gram"}, {"Use BF16."}}};
}

TEST(Findings, AreReportedWithPlaceAndRemedies) {
  const auto said = sentences_of({overflow()});
  ASSERT_EQ(said.size(), 2u);
  EXPECT_EQ(said[0].text, "train.py:34: It overflows. 6 steps are skipped.");
  EXPECT_EQ(said[0].tone, text::Tone::Bad);
  EXPECT_EQ(said[1].text, "Do: Run bmm in FP32. (bmm fp32 in gram) Or: Use BF16.");
}

TEST(Findings, NameTheirRunsIfAReportHasSeveral) {
  std::vector<queries::RunRow> runs(2);
  for (std::size_t i = 0; i < runs.size(); ++i) runs[i].run = static_cast<std::int64_t>(i) + 1;
  runs[0].level = "O0";
  runs[1].level = "O1";
  Finding finding = overflow();
  EXPECT_EQ(runs_of(finding, {runs[1]}), "") << "the only run";
  EXPECT_EQ(runs_of(finding, runs), "O1");
  EXPECT_TRUE(sentences_of({finding}, runs)[0].text.starts_with("train.py:34 (O1): It overflows."));
  finding.culprit = {};
  EXPECT_TRUE(sentences_of({finding}, runs)[0].text.starts_with("O1: It overflows."));
  finding.runs = {1, 2, 1, 2, 1, 2};
  EXPECT_EQ(runs_of(finding, runs), "O0, O1, O0, O1 and 2 more runs");
}

TEST(Findings, ThatArePossibleAskToTry) {
  Finding finding = overflow();
  finding.confidence = Confidence::Possible;
  finding.culprit = {};
  const auto said = sentences_of({finding});
  EXPECT_EQ(said[0].text, "It overflows. 6 steps are skipped.");
  EXPECT_EQ(said[0].tone, text::Tone::Attention);
  EXPECT_TRUE(said[1].text.starts_with("Try: "));
}

TEST(Findings, SayWhatARunConfirmed) {
  Finding finding = overflow();
  finding.confidence = Confidence::Possible;
  finding.remedies[0].helped = true;
  finding.remedies[0].outcome = "In a run with the remedy, the finding is gone.";
  const auto said = sentences_of({finding});
  ASSERT_EQ(said.size(), 2u) << "remedies that were not tried are left out";
  EXPECT_EQ(said[1].text,
            "Do, confirmed: Run bmm in FP32. (bmm fp32 in gram) In a run with the remedy, the finding is gone.");
}

TEST(Findings, DoNotRecommendWhatARunRefuted) {
  Finding finding = overflow();
  finding.remedies[0].helped = false;
  finding.remedies[0].outcome = "In a run with the remedy, the finding remains.";
  EXPECT_EQ(sentences_of({finding})[1].text, "Do: Use BF16.");
  finding.remedies.pop_back();
  EXPECT_EQ(sentences_of({finding})[1].text,
            "Did not help: Run bmm in FP32. (bmm fp32 in gram) In a run with the remedy, the finding remains.");
}

TEST(Findings, ThatAnotherExplainsAreNotSaid) {
  Finding first = overflow();
  first.explains = {"lost_sum"};
  Finding second = overflow();
  second.kind = "lost_sum";
  EXPECT_EQ(sentences_of({first, second}).size(), 2u);
  EXPECT_EQ(sentences_of({second, first}).size(), 4u) << "what stands first is not explained by what follows";
}

TEST(Findings, BeyondTheFifthAreCounted) {
  const auto said = sentences_of(std::vector(7, overflow()));
  ASSERT_EQ(said.size(), 2 * kFindingsSaid + 1);
  EXPECT_EQ(said.back().text, "Further findings: 2. See them all: ampprof show REPORT findings");
}

TEST(Findings, DoNotSendControlCharactersToTheTerminal) {
  Finding finding = overflow();
  finding.mechanism = "a\033[2Jb";
  finding.remedies = {{"\033[2J"}};
  for (const Sentence& sentence : sentences_of({finding})) EXPECT_EQ(sentence.text.find('\033'), std::string::npos);
}

TEST(Findings, HaveTheKeysOfTheContract) {
  Finding finding = overflow();
  finding.chain = {"gram/bmm", "skipped"};
  finding.explains = {"lost_sum"};
  finding.remedies[0].policy = "bmm fp32 in gram";
  finding.remedies[1].word = "eps=1e-4";
  finding.remedies[1].helped = true;
  finding.remedies[1].outcome = "It is gone.";
  const Json json = to_json(finding);
  EXPECT_EQ(json["chain"][1], "skipped");
  EXPECT_EQ(json["explains"][0], "lost_sum");
  EXPECT_EQ(json["remedies"][0]["applied_by"], "--policy, with the line bmm fp32 in gram");
  EXPECT_TRUE(json["remedies"][0]["confirmed"].is_null());
  EXPECT_TRUE(json["remedies"][0]["confirmed_by"].is_null());
  EXPECT_EQ(json["remedies"][1]["applied_by"], "--remedy eps=1e-4");
  EXPECT_EQ(json["remedies"][1]["confirmed"], true);
  EXPECT_EQ(json["remedies"][1]["confirmed_by"], "It is gone.");
  EXPECT_EQ(json["kind"], "overflow_held_by_fp32");
  EXPECT_EQ(json["run"], 2);
  EXPECT_EQ(json["cause"]["source"], "/home/me/train.py:34");
  EXPECT_EQ(json["cause"]["module"], "gram");
  EXPECT_EQ(json["cost"], 0.5);
  EXPECT_EQ(json["confidence"], "certain");
  EXPECT_EQ(json["remedies"][0]["code"], "bmm fp32 in gram");
  EXPECT_TRUE(json["remedies"][1]["code"].is_null());
}

}  // namespace findings_test
}  // namespace ampprof::views
