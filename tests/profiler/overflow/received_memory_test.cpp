// SPDX-License-Identifier: Apache-2.0
#include "profiler/overflow/received_memory.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

namespace ampprof::profiler {
namespace received_memory_test {

constexpr std::int64_t kSegment = 4;
constexpr NonfiniteTrace::Origin kFirst{.call_site = 1};
constexpr NonfiniteTrace::Origin kSecond{.call_site = 2};

std::vector<ReceivedMemory::Memory> memory_of(const at::Tensor& tensor) {
  return {ReceivedMemory::of(*tensor.unsafeGetTensorImpl())};
}

TEST(ReceivedMemory, KnowsTheFirstCollectiveOfMemoryByItsViewsToo) {
  ReceivedMemory received;
  const at::Tensor bucket = torch::zeros({8});
  received.add(bucket, kFirst, kSegment);
  received.add(bucket, kSecond, kSegment);
  const auto collective = received.collective_of(memory_of(bucket.narrow(0, 2, 3)));
  ASSERT_TRUE(collective);
  EXPECT_EQ(collective->call_site, kFirst.call_site);
  EXPECT_FALSE(received.collective_of(memory_of(bucket.clone())));
  EXPECT_FALSE(received.collective_of({}));
}

TEST(ReceivedMemory, ForgetsTheSegmentBefore) {
  ReceivedMemory received;
  const at::Tensor before = torch::zeros({8});
  const at::Tensor after = torch::zeros({8});
  received.add(before, kFirst, kSegment);
  received.add(after, kSecond, kSegment + 1);
  EXPECT_FALSE(received.collective_of(memory_of(before)));
  EXPECT_TRUE(received.collective_of(memory_of(after)));
}

TEST(ReceivedMemory, HoldsNoneAlive) {
  ReceivedMemory received;
  at::Tensor bucket = torch::zeros({8});
  received.add(bucket, kFirst, kSegment);
  EXPECT_EQ(bucket.storage().use_count(), 1u);
}

}  // namespace received_memory_test
}  // namespace ampprof::profiler
