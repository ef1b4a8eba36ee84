// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "precision/rules/tiling.h"
#include "tests/precision/rules/ask.h"

namespace ampprof::rules {

Rule tile_fill();

namespace tile_fill_test {

using namespace testing_rules;

class TileFill : public testing::TestWithParam<Case> {};

TEST_P(TileFill, IsReportedIfItIsLow) {
  const auto finding = answer_of(tile_fill(), GetParam());
  EXPECT_EQ(text_of(finding), GetParam().expected);
  if (finding) {
    EXPECT_FALSE(finding->reason.empty());
  }
}

INSTANTIATE_TEST_SUITE_P(Rules, TileFill,
                         testing::Values(Case{"full", "mm", "f16[256,8] f16[8,128]", kToday, ""},
                                         Case{"turned", "mm", "f16[128,8] f16[8,256]", kToday, ""},
                                         Case{"one_more_row", "mm", "f16[257,8] f16[8,128]", kToday, "hint"},
                                         Case{"three_quarters", "mm", "f16[192,8] f16[8,128]", kToday, ""},
                                         Case{"small", "mm", "f16[64,8] f16[8,64]", kToday, "hint"},
                                         Case{"not_a_matter_of_2018", "mm", "f16[64,8] f16[8,64]", kThen, ""},
                                         Case{"one_row", "mm", "f16[1,8] f16[8,128]", kToday, "hint"},
                                         Case{"no_result", "conv1d",
                                              "f16[8,8,2] f16[8,8,5] stride=1 padding=0 dilation=1", kToday, ""},
                                         Case{"image_unknown", "conv2d", "f16[8,8,9,9] f16[8,8,3,3]", kToday, ""}),
                         [](const auto& info) { return info.param.name; });

struct Tile {
  const char* device;
  DType dtype;
  std::int64_t rows, columns;
  double tile_fill;
  const char* signature = "f16[300,8] f16[8,200]";
};

void PrintTo(const Tile& tile, std::ostream* out) { *out << tile.device << ' ' << short_name(tile.dtype); }

class TileOf : public testing::TestWithParam<Tile> {};

TEST_P(TileOf, GpuAndType) {
  const auto matmul = matmul_of("mm", signature_from(GetParam().signature)).value();
  const auto tiling = tiling_of(matmul, GetParam().dtype, gpu::device_caps(GetParam().device).value());
  EXPECT_EQ(tiling->tile_rows, GetParam().rows);
  EXPECT_EQ(tiling->tile_columns, GetParam().columns);
  EXPECT_DOUBLE_EQ(tiling->tile_fill, GetParam().tile_fill);
}

INSTANTIATE_TEST_SUITE_P(Rules, TileOf,
                         testing::Values(Tile{"H100", DType::Half, 128, 256, 60000.0 / (384 * 256)},
                                         Tile{"A100", DType::BFloat16, 128, 256, 60000.0 / (384 * 256)},
                                         Tile{"H100", DType::Half, 256, 128, 60000.0 / (384 * 256),
                                              "f16[200,8] f16[8,300]"},
                                         Tile{"H100", DType::Half, 256, 128, 1.0, "f16[512,8] f16[8,512]"},
                                         Tile{"V100", DType::Half, 128, 128, 60000.0 / (384 * 256)},
                                         Tile{"A100", DType::Float, 128, 128, 60000.0 / (384 * 256)}));

}  // namespace tile_fill_test
}  // namespace ampprof::rules
