// SPDX-License-Identifier: Apache-2.0
#include "samples/common/words.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

namespace samples {
namespace words_test {

std::int64_t words_in(const at::Tensor& text) { return text.eq(0).sum().item<std::int64_t>(); }

TEST(Words, HoldsOutThreeThousand) {
  const WordSplit split = load_words(1);
  EXPECT_EQ(words_in(split.train), 27000);
  EXPECT_EQ(words_in(split.test), 3000);
  EXPECT_EQ(split.train.size(0) + split.test.size(0), 279023) << "letters and ends of words";
  EXPECT_EQ(split.train.min().item<std::int64_t>(), 0);
  EXPECT_EQ(split.train.max().item<std::int64_t>(), kSymbols - 1);
}

TEST(Words, TheSplitFollowsTheSeedAndLeavesTheRandomStateAlone) {
  torch::manual_seed(3);
  const at::Tensor expected = torch::rand({4});
  torch::manual_seed(3);
  const WordSplit one = load_words(1);
  EXPECT_TRUE(at::equal(torch::rand({4}), expected));
  EXPECT_TRUE(at::equal(one.test, load_words(1).test));
  EXPECT_FALSE(at::equal(one.test, load_words(2).test));
}

TEST(Windows, TargetsAreWhatFollowsEachInput) {
  const at::Tensor text = torch::arange(11);
  const Windows first = first_windows(text, 100, 5);
  EXPECT_TRUE(at::equal(first.inputs, torch::arange(10).view({2, 5}))) << "as many as have a target for each symbol";
  EXPECT_TRUE(at::equal(first.targets, first.inputs + 1));
  EXPECT_EQ(first_windows(text, 1, 5).inputs.size(0), 1);

  const Windows random = random_windows(text, 200, 5);
  EXPECT_EQ(random.inputs.sizes(), (at::IntArrayRef{200, 5}));
  EXPECT_TRUE(at::equal(random.targets, random.inputs + 1));
  EXPECT_EQ(random.inputs.min().item<std::int64_t>(), 0);
  EXPECT_EQ(random.targets.max().item<std::int64_t>(), 10) << "the last symbol is reached, and none beyond it";
}

}  // namespace words_test
}  // namespace samples
