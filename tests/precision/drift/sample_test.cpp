// SPDX-License-Identifier: Apache-2.0
#include "precision/drift/sample.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace ampprof::drift {
namespace {

TEST(SampleTest, SmallTensorsAreFollowedWhole) {
  EXPECT_EQ(sample_indices(3), (std::vector<std::int64_t>{0, 1, 2}));
  EXPECT_EQ(sample_indices(0).size(), 0U);
  EXPECT_EQ(sample_indices(kSampleSize).back(), kSampleSize - 1);
}

TEST(SampleTest, LargeTensorsHaveOneElementOfEachPart) {
  for (const std::int64_t numel : {kSampleSize + 1, 5 * kSampleSize - 7, std::int64_t{1} << 40}) {
    const auto indices = sample_indices(numel);
    ASSERT_EQ(indices.size(), static_cast<std::size_t>(kSampleSize));
    EXPECT_TRUE(std::ranges::is_sorted(indices));
    EXPECT_EQ(std::ranges::adjacent_find(indices), indices.end());
    EXPECT_GE(indices.front(), 0);
    EXPECT_LT(indices.back(), numel);
    EXPECT_LT(indices.front(), numel / kSampleSize + 1);
    EXPECT_GE(indices.back(), numel - numel / kSampleSize - 1);
  }
}

/// A pattern in the tensor, such as rows, must not influence the sample.
TEST(SampleTest, PartsChooseTheirElementsIndependently) {
  const auto indices = sample_indices(64 * kSampleSize);
  std::int64_t even = 0;
  for (const std::int64_t index : indices) even += index % 2 == 0 ? 1 : 0;
  EXPECT_GT(even, kSampleSize * 2 / 5);
  EXPECT_LT(even, kSampleSize * 3 / 5);
}

TEST(SampleTest, OffsetsFollowStrides) {
  const std::vector<std::int64_t> indices{0, 1, 2, 3, 4, 5};
  const std::vector<std::int64_t> sizes{2, 3};
  EXPECT_EQ(memory_offsets(indices, sizes, std::vector<std::int64_t>{3, 1}), indices);
  EXPECT_EQ(memory_offsets(indices, sizes, std::vector<std::int64_t>{1, 2}),
            (std::vector<std::int64_t>{0, 2, 4, 1, 3, 5}));
  EXPECT_EQ(memory_offsets(indices, sizes, std::vector<std::int64_t>{0, 1}),
            (std::vector<std::int64_t>{0, 1, 2, 0, 1, 2}));
  EXPECT_EQ(memory_offsets(std::vector<std::int64_t>{0}, {}, {}), std::vector<std::int64_t>{0});
}

}  // namespace
}  // namespace ampprof::drift
