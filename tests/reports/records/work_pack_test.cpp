// SPDX-License-Identifier: Apache-2.0
#include "reports/records/work_pack.h"

#include <gtest/gtest.h>

#include <limits>

#include "tests/reports/random_calls.h"

namespace ampprof {
namespace {

using testing_reports::RandomCalls;

std::string packed(const std::vector<DeviceWork>& works) {
  WorkPacker packer;
  for (const DeviceWork& work : works) packer.add(work);
  EXPECT_EQ(packer.works(), std::ssize(works));
  return packer.bytes();
}

TEST(WorkPack, GivesBackWhatItTook) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    RandomCalls random(seed);
    std::vector<DeviceWork> works;
    for (int i = random.up_to(100); i > 0; --i) works.push_back(random.work(7, 12));
    EXPECT_EQ(unpack_works(packed(works), 7), works);
  }
}

TEST(WorkPack, HoldsTheLargestNumbers) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  constexpr std::int32_t kMost32 = std::numeric_limits<std::int32_t>::max();
  const DeviceWork large{.segment = 1,
                         .call_site = kMost,
                         .start_ns = kMost,
                         .duration_ns = kMost,
                         .launched_ns = -kMost,
                         .bytes = kMost,
                         .name = kMost32,
                         .device = kMost32,
                         .stream = -1,
                         .thread = kMost32,
                         .graph = kMost32,
                         .kind = DeviceWorkKind::Copy};
  const std::vector<DeviceWork> works{large, {.segment = 1, .start_ns = -kMost}, large};
  EXPECT_EQ(unpack_works(packed(works), 1), works);
}

TEST(WorkPack, TakesAboutTwelveBytesForAKernel) {
  std::vector<DeviceWork> works;
  for (int i = 0; i < 1000; ++i) {
    works.push_back({.call_site = 1 + i % 40,
                     .start_ns = i * 9'000,
                     .duration_ns = 8'000 + i % 100,
                     .launched_ns = i * 9'000 - 40'000 - i,
                     .name = 1 + i % 12,
                     .stream = 7});
  }
  EXPECT_LT(packed(works).size(), 12 * works.size());
}

TEST(WorkPack, RefusesWhatItCannotHaveWritten) {
  RandomCalls random(3);
  const std::string bytes = packed({random.work(1, 5), random.work(1, 5), random.work(1, 5)});
  EXPECT_FALSE(unpack_works(bytes.substr(0, bytes.size() - 1), 1));
  EXPECT_FALSE(unpack_works("\xff", 1));
  EXPECT_FALSE(unpack_works(std::string("\3\0\0\0\0\0\0\0\0\0", 10), 1)) << "no such kind";
  EXPECT_TRUE(unpack_works("", 1)->empty());
}

}  // namespace
}  // namespace ampprof
