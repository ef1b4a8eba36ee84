// SPDX-License-Identifier: Apache-2.0
#include "samples/common/digits.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

namespace samples {
namespace digits_test {

TEST(Digits, HoldsOutAHundredOfEach) {
  const DigitSplit split = load_digits(1);
  EXPECT_EQ(split.train.images.sizes(), (at::IntArrayRef{4000, 1, 28, 28}));
  EXPECT_EQ(split.test.images.sizes(), (at::IntArrayRef{1000, 1, 28, 28}));
  EXPECT_TRUE(at::equal(split.test.labels.bincount(), torch::full({10}, 100, torch::kLong)));
  EXPECT_TRUE(at::equal(split.train.labels.bincount(), torch::full({10}, 400, torch::kLong)));
  EXPECT_EQ(split.train.images.min().item<float>(), 0.0F);
  EXPECT_EQ(split.train.images.max().item<float>(), 1.0F);
}

TEST(Digits, TheSplitFollowsTheSeedAndLeavesTheRandomStateAlone) {
  torch::manual_seed(3);
  const at::Tensor expected = torch::rand({4});
  torch::manual_seed(3);
  const DigitSplit one = load_digits(1);
  EXPECT_TRUE(at::equal(torch::rand({4}), expected));
  EXPECT_TRUE(at::equal(one.test.images, load_digits(1).test.images));
  EXPECT_FALSE(at::equal(one.test.images, load_digits(2).test.images));
}

TEST(Batches, GoThroughAllDigitsOnceAnEpoch) {
  const Digits digits{torch::zeros({10, 1}), torch::arange(10)};
  Batches batches(digits, 3);
  std::vector<at::Tensor> seen;
  for (int i = 0; i < 3; ++i) seen.push_back(batches.next().labels);
  EXPECT_EQ(std::get<0>(at::_unique(torch::cat(seen))).size(0), 9) << "the incomplete batch is left out";
  EXPECT_EQ(batches.next().labels.size(0), 3) << "a new epoch";
}

}  // namespace digits_test
}  // namespace samples
