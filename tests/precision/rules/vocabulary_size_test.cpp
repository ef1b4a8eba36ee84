// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/precision/rules/ask.h"

namespace ampprof::rules {

Rule vocabulary_size();

namespace vocabulary_size_test {

using namespace testing_rules;

class VocabularySize : public testing::TestWithParam<Case> {};

TEST_P(VocabularySize, NeedsAVocabulary) {
  const auto finding = answer_of(vocabulary_size(), GetParam());
  EXPECT_EQ(text_of(finding), GetParam().expected);
  if (finding) {
    EXPECT_FALSE(finding->reason.empty());
  }
}

INSTANTIATE_TEST_SUITE_P(Rules, VocabularySize,
                         testing::Values(Case{"unknown", "mm", "f16[64,32] f16[32,27]", kToday, ""}),
                         [](const auto& info) { return info.param.name; });

struct Vocabulary {
  std::size_t place;
  RuleAge age;
  const char* says;  ///< "" if no finding is expected
};

void PrintTo(const Vocabulary& row, std::ostream* out) { *out << row.place << ' ' << row.says; }

class KnownVocabulary : public testing::TestWithParam<Vocabulary> {};

TEST_P(KnownVocabulary, IsToBePadded) {
  auto matmul = matmul_of("mm", signature_from("f16[32,29] f16[29,27]")).value();
  matmul.vocabulary = GetParam().place;
  const auto device = gpu::device_caps("sm_90").value();
  const auto finding = vocabulary_size().check(matmul, rule_conditions_of(GetParam().age, DType::Half, device));
  const std::string says = GetParam().says;
  ASSERT_EQ(finding.has_value(), !says.empty());
  if (!finding) return;
  EXPECT_EQ(finding->grade, Grade::Hint);
  EXPECT_NE(finding->reason.find(says), std::string::npos) << finding->reason;
}

INSTANTIATE_TEST_SUITE_P(Rules, KnownVocabulary,
                         testing::Values(Vocabulary{0, kToday, ""}, Vocabulary{1, kToday, "N is the vocabulary"},
                                         Vocabulary{1, kToday, "from 27 to 32"},
                                         Vocabulary{2, kThen, "K is the vocabulary"}));

}  // namespace vocabulary_size_test
}  // namespace ampprof::rules
