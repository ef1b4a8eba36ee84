// SPDX-License-Identifier: Apache-2.0
#include "profiler/steps/pointer_filter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace ampprof::profiler {
namespace pointer_filter_test {

TEST(PointerFilter, ForgetsNothingAndTakesFewOthersForItsOwn) {
  std::mt19937_64 random(1);
  const auto pointers = [&] {
    std::vector<const void*> drawn(1000);
    for (const void*& pointer : drawn) pointer = reinterpret_cast<const void*>(random() >> 20 << 4);
    return drawn;
  };
  const auto added = pointers();
  PointerFilter filter;
  for (const void* pointer : added) filter.add(pointer);
  const auto may_have = [&](const void* pointer) { return filter.may_have(pointer); };
  EXPECT_TRUE(std::ranges::all_of(added, may_have));
  const auto mistaken = std::ranges::count_if(pointers(), may_have);
  EXPECT_LT(mistaken, 120) << "6 % are expected";
}

}  // namespace pointer_filter_test
}  // namespace ampprof::profiler
