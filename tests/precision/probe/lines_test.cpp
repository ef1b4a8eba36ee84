// SPDX-License-Identifier: Apache-2.0
#include "precision/probe/lines.h"

#include <gtest/gtest.h>

#include <sstream>

namespace ampprof::probe {
namespace lines_test {

std::vector<PlannedCase> some_cases() {
  const GemmCase gemm{2, 3, 4, 5, {true, 6, 7}, {false, 8, 9}, true};
  const ConvolutionCase convolution{{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10}, {11, 12}, {13, 14},
                                    {15, 16},     17,           true,    true,     true};
  return {{{gemm, {DType::Float, true}, false}, true, false}, {{convolution, {DType::Half, false}, true}, false, true}};
}

std::vector<Answer> some_answers() {
  return {{1, Timing{1.25, 0.125, 11, 100, 1980, std::nullopt}},
          {0, GemmAlgorithm{0x10202, 66, "128x256", 34, 2, 0.75, 4096, {16, 8, 4, 2}}},
          {2, Failure{true, "out of \"memory\"\nof \xff"}}};
}

std::string written() {
  std::string text = line_of(Device{"NVIDIA H200", 130100}) + '\n';
  for (const Answer& answer : some_answers()) text += line_of(answer) + '\n';
  return text;
}

TEST(ProbeLines, CasesComeBackAsTheyWere) {
  std::stringstream text;
  write_cases(text, some_cases());
  EXPECT_EQ(cases_from(text), some_cases());
}

TEST(ProbeLines, NameTheInvalidLine) {
  std::stringstream text;
  write_cases(text, some_cases());
  text << "{\"gemm\":{}}\n";
  text.seekg(0);
  try {
    cases_from(text);
    FAIL() << "it is none";
  } catch (const std::runtime_error& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with("line 3 is no case: ")) << error.what();
  }
}

TEST(ProbeLines, KeepWordsAsTheyAre) {
  EXPECT_EQ(line_of(Device{"Größe", 7}), "{\"cublaslt_version\":7,\"device\":\"Größe\"}");
}

TEST(ProbeLines, AnswersComeBackAsTheyWere) {
  std::istringstream text(written());
  const Results results = results_from(text);
  EXPECT_EQ(results.device, (Device{"NVIDIA H200", 130100}));
  ASSERT_EQ(results.answers.size(), 3u);
  EXPECT_EQ(results.answers[0], some_answers()[0]);
  EXPECT_EQ(results.answers[1], some_answers()[1]);
  EXPECT_TRUE(std::get<Failure>(results.answers[2].answer).why.starts_with("out of \"memory\"\nof "));
}

TEST(ProbeLines, OfAKilledProbeEndWithTheLastWholeLine) {
  const std::string all = written();
  std::size_t most = 0;
  for (std::size_t size = 0; size <= all.size(); ++size) {
    std::istringstream text(all.substr(0, size));
    const auto lines = static_cast<std::size_t>(std::count(all.begin(), all.begin() + std::ptrdiff_t(size), '\n'));
    const std::size_t found = results_from(text).answers.size();
    EXPECT_GE(found + 1, lines) << "each whole line counts; the first is the device";
    most = std::max(most, found);
  }
  EXPECT_EQ(most, 3u);
}

}  // namespace lines_test
}  // namespace ampprof::probe
