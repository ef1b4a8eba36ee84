// SPDX-License-Identifier: Apache-2.0
#include "reports/records/call_codec.h"

#include <gtest/gtest.h>

#include <limits>

#include "tests/reports/random_calls.h"

namespace ampprof {
namespace call_codec_test {

using testing_reports::RandomCalls;

std::string encoded(const std::vector<OpCall>& calls) {
  CallEncoder encoder;
  for (const OpCall& call : calls) encoder.add(call);
  EXPECT_EQ(encoder.calls(), static_cast<std::int64_t>(calls.size()));
  return encoder.bytes();
}

TEST(CallChunk, GivesBackWhatWentIn) {
  for (unsigned seed = 1; seed <= 50; ++seed) {
    RandomCalls random(seed);
    std::vector<OpCall> calls;
    for (int i = random.up_to(200); i > 0; --i) calls.push_back(random.call(7, 30));
    const auto decoded = decode_calls(encoded(calls), 7, kChunkCodec);
    ASSERT_TRUE(decoded.has_value());
    EXPECT_EQ(*decoded, calls) << "seed " << seed;
  }
}

TEST(CallChunk, HoldsTheLargestNumbers) {
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  OpCall call;
  call.segment = 1;
  call.call_site = kMost;
  call.signature = kMost;
  call.start_ns = -kMost;
  call.duration_ns = kMost;
  call.thread = std::numeric_limits<std::int32_t>::max();
  call.cast_bytes = kMost;
  call.scale = std::numeric_limits<double>::infinity();
  call.local = ErrorStats{.count = kMost, .max_abs = std::numeric_limits<double>::denorm_min()};
  OpCall plain;
  plain.segment = 1;
  const std::vector<OpCall> calls{call, plain, call};
  EXPECT_EQ(*decode_calls(encoded(calls), 1, kChunkCodec), calls);
}

TEST(CallChunk, TakesTenBytesForACallWithoutValues) {
  std::vector<OpCall> calls;
  for (int i = 0; i < 1000; ++i) {
    OpCall call;
    call.call_site = 1 + i % 300;
    call.signature = 1 + i % 90;
    call.start_ns = 1'000'000 + i * 20'000;
    call.duration_ns = 14'000 + i % 50;
    call.dtype_in = call.dtype_out = i % 3 == 0 ? DType::Half : DType::Float;
    calls.push_back(call);
  }
  EXPECT_LT(encoded(calls).size(), 12 * calls.size());
}

TEST(CallChunk, TellsThreadTypesAndCastsOnceForCallsThatAreAlike) {
  OpCall call;
  call.thread = 3;
  call.dtype_in = call.dtype_out = DType::Half;
  call.cast_bytes = 1 << 20;
  OpCall other = call;
  other.dtype_out = DType::Float;
  const std::size_t one = encoded({call}).size();
  EXPECT_EQ(encoded({call, call}).size(), one + 5) << "flags, site, signature, start, duration";
  EXPECT_GT(encoded({call, other}).size(), one + 5);
}

TEST(CallChunk, OfDamagedBytesIsEmptyOrSomeCalls) {
  RandomCalls random(3);
  std::vector<OpCall> calls;
  for (int i = 0; i < 20; ++i) calls.push_back(random.call(1, 30));
  const std::string whole = encoded(calls);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const auto some = decode_calls(std::string_view(whole).substr(0, size), 1, kChunkCodec);
    EXPECT_TRUE(!some || some->size() < calls.size());
  }
  for (int round = 0; round < 2000; ++round) {
    std::string damaged = whole;
    for (int i = random.up_to(4); i >= 0; --i) {
      damaged[static_cast<std::size_t>(random.up_to(static_cast<int>(whole.size()) - 1))] =
          static_cast<char>(random.up_to(255));
    }
    const auto some = decode_calls(damaged, 1, kChunkCodec);
    EXPECT_TRUE(!some || some->size() <= whole.size());
  }
}

TEST(CastCodec, GivesBackWhatWentIn) {
  RandomCalls random(1);
  std::vector<CastRecord> casts;
  for (int i = 0; i < 100; ++i) casts.push_back(random.cast(4, 30));
  std::vector<const CastRecord*> pointers;
  for (const CastRecord& cast : casts) pointers.push_back(&cast);
  const std::string bytes = encode_casts(pointers);
  EXPECT_EQ(*decode_casts(bytes, 4, kChunkCodec), casts);
  EXPECT_FALSE(decode_casts(std::string_view(bytes).substr(0, bytes.size() - 1), 4, kChunkCodec).has_value());
  EXPECT_TRUE(decode_casts("", 4, kChunkCodec)->empty());
}

TEST(PlainCall, HoldsAllOfACallWithoutValues) {
  OpCall call;
  call.segment = 1;
  call.call_site = 2;
  call.signature = 3;
  call.start_ns = 4;
  call.duration_ns = 5;
  call.thread = 6;
  call.dtype_in = DType::Float;
  call.dtype_out = DType::Half;
  call.cast_bytes = 7;
  EXPECT_EQ(PlainCall(call).whole(), call);
  call.scale = 1024.0;
  EXPECT_EQ(PlainCall(call).whole(), call);
}

}  // namespace call_codec_test
}  // namespace ampprof
