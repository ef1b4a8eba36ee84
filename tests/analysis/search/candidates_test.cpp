// SPDX-License-Identifier: Apache-2.0
#include "analysis/search/candidates.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/precision/advice/evidence_builder.h"

namespace ampprof::search {
namespace candidates_test {

using advice::testing_advice::Builder;

std::vector<std::string> lines_of(const Candidates& candidates) {
  std::vector<std::string> lines;
  for (const Candidate& candidate : candidates.all) lines.push_back(candidate.line);
  return lines;
}

Candidates candidates_of(const Builder& builder) {
  return search::candidates_of(advice::PolicyEvaluation(builder.evidence));
}

TEST(Candidates, BeginWithWhatIsAdvised) {
  Builder builder;
  builder.forward("conv1", "conv2d");
  builder.forward("head", "softmax.int", 0.5);
  builder.forward("encoder", "linear", 1e-3);
  const Candidates candidates = candidates_of(builder);
  EXPECT_EQ(lines_of(candidates), (std::vector<std::string>{"softmax fp32", "linear fp32", "conv2d fp32"}));
  EXPECT_EQ(candidates.advised, 1u);
}

TEST(Candidates, PutWhatOverflowsFirstAndSayWhy) {
  Builder builder;
  builder.forward("head", "softmax.int", 0.5);
  queries::OpRow& einsum = builder.forward("", "einsum");
  einsum.ranges->nonfinite = 3;
  einsum.ranges->reference_amax = 80000;
  const Candidates candidates = candidates_of(builder);
  ASSERT_EQ(lines_of(candidates), (std::vector<std::string>{"einsum fp32", "softmax fp32"}));
  EXPECT_NE(candidates.all[0].because.find("overflows"), std::string::npos) << candidates.all[0].because;
  EXPECT_EQ(candidates.all[1].because, "");
}

TEST(Candidates, AreOneForEachModuleOfAFunction) {
  Builder builder;
  builder.forward("a", "linear", 0.5);
  builder.forward("b", "linear", 0.001);
  builder.forward("", "mul.Tensor", 0.001);
  builder.forward("b", "mul.Tensor", 0.0005);
  const Candidates candidates = candidates_of(builder);
  EXPECT_EQ(candidates.all.size(), 4u);
  EXPECT_EQ(candidates.all.front().line, "linear fp32 in a");
  const auto lines = lines_of(candidates);
  for (const char* line : {"linear fp32 in b", "mul fp32", "mul fp32 in b"}) {
    EXPECT_NE(std::ranges::find(lines, line), lines.end()) << line;
  }
}

TEST(Candidates, AreOrderedByTheExpectedEffectOfTheirRoundings) {
  Builder builder;
  queries::OpRow& slight = builder.forward("a", "linear");
  queries::OpRow& strong = builder.forward("b", "conv2d");
  builder.forward("c", "mul.Tensor").local = ErrorStats{.count = 1, .sum_sq_error = 1e-8, .sum_sq_reference = 1};
  builder.forward("d", "div.Tensor").local = ErrorStats{.count = 1, .sum_sq_error = 1e-6, .sum_sq_reference = 1};
  const auto expect = [&](const queries::OpRow& op, double change, double estimate) {
    queries::ImpactRow& row = builder.impact(op, change, change);
    row.is_signed = false;
    row.squares.output = estimate * estimate;
  };
  expect(slight, 1e-3, 1e-4);
  expect(strong, 1e-5, 1e-2);
  EXPECT_EQ(lines_of(candidates_of(builder)),
            (std::vector<std::string>{"conv2d fp32", "linear fp32", "div fp32", "mul fp32"}))
      << "by E, not by what the signed change happened to be; then by local error";
}

TEST(Candidates, LeaveOutWhatNoPolicyReaches) {
  Builder builder;
  builder.forward("a", "add_.Tensor", 0.5);
  builder.forward("a", "_to_copy", 0.5);
  EXPECT_TRUE(candidates_of(builder).all.empty());
}

TEST(Candidates, BeginWithThoseThatAreProposedInPlaceOfAdvice) {
  Candidates candidates{.all = {{"linear fp32", ""}, {"mul fp32", ""}, {"exp fp32 in head", ""}}, .advised = 2};
  propose(candidates, std::vector<std::string>{"eps=1e-4"});
  EXPECT_EQ(candidates.advised, 2u) << "no candidate";
  propose(candidates, std::vector<std::string>{"exp fp32 in head", "eps=1e-4"});
  EXPECT_EQ(lines_of(candidates), (std::vector<std::string>{"exp fp32 in head", "linear fp32", "mul fp32"}));
  EXPECT_EQ(candidates.advised, 1u);
}

TEST(Candidates, AreFoundAgainByTheirLines) {
  Builder builder;
  builder.forward("a", "linear", 0.5);
  builder.forward("b", "linear", 0.001);
  builder.forward("b", "mul.Tensor", 0.0005);
  builder.forward("", "mul.Tensor", 0.001);
  const advice::PolicyEvaluation evaluation(builder.evidence);
  const auto names_of = [&](const std::vector<std::string>& lines) {
    std::vector<std::string> names;
    for (const std::size_t place : places_of(evaluation, lines)) names.push_back(evaluation.candidates()[place].name());
    std::ranges::sort(names);
    return names;
  };
  EXPECT_EQ(names_of({"linear fp32 in b"}), std::vector<std::string>{"linear in b"});
  EXPECT_EQ(names_of({"mul fp32"}), (std::vector<std::string>{"mul", "mul in b"}))
      << "outside of all modules is everywhere";
  EXPECT_TRUE(names_of({"exp fp32"}).empty());
}

}  // namespace candidates_test
}  // namespace ampprof::search
