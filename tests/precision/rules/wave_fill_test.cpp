// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "precision/rules/tiling.h"
#include "tests/precision/rules/ask.h"

namespace ampprof::rules {

Rule wave_fill();

namespace wave_fill_test {

using namespace testing_rules;

class WaveFill : public testing::TestWithParam<Case> {};

TEST_P(WaveFill, IsReportedIfItIsLow) {
  const auto finding = answer_of(wave_fill(), GetParam());
  EXPECT_EQ(text_of(finding), GetParam().expected);
  if (finding) {
    EXPECT_FALSE(finding->reason.empty());
  }
}

INSTANTIATE_TEST_SUITE_P(
    Rules, WaveFill,
    testing::Values(Case{"one_full_wave", "mm", "f16[33792,8] f16[8,128]", kToday, "", DType::Half, "H100"},
                    Case{"one_tile_more", "mm", "f16[33793,8] f16[8,128]", kToday, "hint", DType::Half, "H100"},
                    Case{"three_quarters", "mm", "f16[25344,8] f16[8,128]", kToday, "", DType::Half, "H100"},
                    Case{"a_single_tile", "mm", "f16[64,8] f16[8,64]", kToday, "hint", DType::Half, "H100"},
                    Case{"batches_count", "bmm", "f16[132,256,8] f16[132,8,128]", kToday, "", DType::Half, "H100"},
                    Case{"not_a_matter_of_2018", "mm", "f16[64,8] f16[8,64]", kThen, "", DType::Half, "H100"},
                    Case{"multiprocessors_unknown", "mm", "f16[64,8] f16[8,64]", kToday, ""}),
    [](const auto& info) { return info.param.name; });

TEST(WaveFill, CountsWavesAndTheTail) {
  // 133 tiles of 256x128 on 132 multiprocessors.
  const auto matmul = matmul_of("mm", signature_from("f16[33793,8] f16[8,128]")).value();
  const auto tiling = tiling_of(matmul, DType::Half, gpu::device_caps("H100").value());
  EXPECT_DOUBLE_EQ(*tiling->waves, 133.0 / 132);
  EXPECT_DOUBLE_EQ(*tiling->tail_share, 1 - 133.0 / 264);
}

}  // namespace wave_fill_test
}  // namespace ampprof::rules
