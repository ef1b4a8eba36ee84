// SPDX-License-Identifier: Apache-2.0
#include "reports/records/activity_codec.h"

#include <gtest/gtest.h>

#include <limits>

#include "tests/reports/random_calls.h"

namespace ampprof {
namespace activity_codec_test {

using testing_reports::RandomCalls;

std::string encoded(const std::vector<GpuActivity>& activities) {
  ActivityEncoder encoder;
  for (const GpuActivity& activity : activities) encoder.add(activity);
  EXPECT_EQ(encoder.activities(), std::ssize(activities));
  return encoder.bytes();
}

TEST(ActivityCodec, GivesBackWhatItTook) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    RandomCalls random(seed);
    std::vector<GpuActivity> activities;
    for (int i = random.up_to(100); i > 0; --i) activities.push_back(random.activity(7, 12));
    EXPECT_EQ(decode_activities(encoded(activities), 7, kChunkCodec), activities);
  }
}

TEST(ActivityCodec, HoldsTheLargestNumbers) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  constexpr std::int32_t kMost32 = std::numeric_limits<std::int32_t>::max();
  const GpuActivity large{.segment = 1,
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
                          .kind = GpuActivityKind::Memcpy};
  const std::vector<GpuActivity> activities{large, {.segment = 1, .start_ns = -kMost}, large};
  EXPECT_EQ(decode_activities(encoded(activities), 1, kChunkCodec), activities);
}

TEST(ActivityCodec, TakesAboutTwelveBytesForAKernel) {
  std::vector<GpuActivity> activities;
  for (int i = 0; i < 1000; ++i) {
    activities.push_back({.call_site = 1 + i % 40,
                          .start_ns = i * 9'000,
                          .duration_ns = 8'000 + i % 100,
                          .launched_ns = i * 9'000 - 40'000 - i,
                          .name = 1 + i % 12,
                          .stream = 7});
  }
  EXPECT_LT(encoded(activities).size(), 12 * activities.size());
}

TEST(ActivityCodec, RefusesWhatItCannotHaveWritten) {
  RandomCalls random(3);
  const std::string bytes = encoded({random.activity(1, 5), random.activity(1, 5), random.activity(1, 5)});
  EXPECT_FALSE(decode_activities(bytes.substr(0, bytes.size() - 1), 1, kChunkCodec));
  EXPECT_FALSE(decode_activities("\xff", 1, kChunkCodec));
  EXPECT_FALSE(decode_activities(std::string("\3\0\0\0\0\0\0\0\0\0", 10), 1, kChunkCodec)) << "no such kind";
  EXPECT_FALSE(decode_activities(std::string("\x10\0\0\0\0\0\0\0\0", 9), 1, kChunkCodec)) << "no such flag";
  EXPECT_TRUE(decode_activities("", 1, kChunkCodec)->empty());
}

}  // namespace activity_codec_test
}  // namespace ampprof
