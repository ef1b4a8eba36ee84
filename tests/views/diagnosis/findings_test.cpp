// SPDX-License-Identifier: Apache-2.0
#include "views/diagnosis/findings.h"

#include <gtest/gtest.h>

#include "analysis/diagnosis/finding.h"

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

TEST(Findings, AreSaidWithPlaceAndRemedies) {
  const auto said = sentences_of({overflow()});
  ASSERT_EQ(said.size(), 2u);
  EXPECT_EQ(said[0].text, "train.py:34: It overflows. 6 steps are skipped.");
  EXPECT_EQ(said[0].tone, text::Tone::Bad);
  EXPECT_EQ(said[1].text, "Do: Run bmm in FP32. (bmm fp32 in gram) Or: Use BF16.");
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

TEST(Findings, BeyondTheFifthAreCounted) {
  const auto said = sentences_of(std::vector(7, overflow()));
  ASSERT_EQ(said.size(), 2 * kFindingsSaid + 1);
  EXPECT_EQ(said.back().text, "There are 2 more findings: ampprof show REPORT findings");
}

TEST(Findings, DoNotSendControlCharactersToTheTerminal) {
  Finding finding = overflow();
  finding.mechanism = "a\033[2Jb";
  finding.remedies = {{"\033[2J"}};
  for (const Sentence& sentence : sentences_of({finding})) EXPECT_EQ(sentence.text.find('\033'), std::string::npos);
}

TEST(Findings, HaveTheKeysOfTheContract) {
  const Json json = to_json(overflow());
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
