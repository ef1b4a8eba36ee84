// SPDX-License-Identifier: Apache-2.0
#include "reports/records/tracks.h"

#include <gtest/gtest.h>

#include <limits>
#include <map>

#include "tests/reports/random_calls.h"

namespace ampprof {
namespace tracks_test {

using testing_reports::RandomCalls;

struct Sum {
  std::int64_t calls = 0;
  std::int64_t cast_bytes = 0;
  ClassTimes times{};

  bool operator==(const Sum&) const = default;
};
using Sums = std::map<TrackId, Sum>;

std::vector<OpCall> random_calls(unsigned seed) {
  RandomCalls random(seed);
  std::vector<OpCall> calls;
  for (int i = random.up_to(200); i >= 0; --i) calls.push_back(random.call(1, 30));
  return calls;
}

TrackEncoder encoded(const std::vector<OpCall>& calls) {
  TrackEncoder encoder;
  for (const OpCall& call : calls) encoder.add(call);
  return encoder;
}

std::vector<Track> tracks_of(const std::string& bytes) {
  std::vector<Track> tracks;
  EXPECT_TRUE(each_track(bytes, [&](const Track& track) { tracks.push_back(track); }));
  return tracks;
}

Sums sums_of(const std::vector<OpCall>& calls) {
  Sums sums;
  for (const OpCall& call : calls) {
    Sum& sum = sums[call.thread];
    ++sum.calls;
    sum.cast_bytes += call.cast_bytes;
    sum.times[static_cast<std::size_t>(precision_class_of(call))] += call.duration_ns;
  }
  return sums;
}

Sums sums_of(const std::vector<Track>& tracks) {
  Sums sums;
  for (const Track& track : tracks) {
    Sum& sum = sums[track.id] = {.calls = track.calls, .cast_bytes = track.bytes};
    for (const ClassTimes& bin : track.bins) add_times(sum.times, bin);
  }
  return sums;
}

TEST(PrecisionClass, PutsWhatIsWorstFirst) {
  OpCall call;
  EXPECT_EQ(precision_class_of(call), PrecisionClass::Other);
  call.dtype_in = DType::Int64;
  EXPECT_EQ(precision_class_of(call), PrecisionClass::Other);
  for (const DType floating : {DType::Complex, DType::Float, DType::Double}) {
    call.dtype_out = floating;
    EXPECT_EQ(precision_class_of(call), PrecisionClass::Full);
  }
  call.ranges = RangeStats{.count = 1};
  EXPECT_EQ(precision_class_of(call), PrecisionClass::Full) << "all values are finite";
  call.dtype_in = DType::Float8E5M2;
  EXPECT_EQ(precision_class_of(call), PrecisionClass::Reduced);
  call.cast_bytes = 1;
  EXPECT_EQ(precision_class_of(call), PrecisionClass::Cast);
  call.ranges = RangeStats{.count = 1, .nonfinite = 1};
  EXPECT_EQ(precision_class_of(call), PrecisionClass::NonFinite);
  call.nonfinite_expected = true;
  EXPECT_EQ(precision_class_of(call), PrecisionClass::Cast);
}

TEST(Tracks, KeepTheTimeOfEachThreadAndClass) {
  for (unsigned seed = 1; seed <= 100; ++seed) {
    const std::vector<OpCall> calls = random_calls(seed);
    EXPECT_EQ(sums_of(tracks_of(encoded(calls).bytes())), sums_of(calls)) << "seed " << seed;
  }
}

TEST(Tracks, PutACallWhereItWas) {
  OpCall first;
  first.start_ns = 1'000;
  first.duration_ns = 31;
  first.dtype_in = DType::Float;
  OpCall last = first;
  last.start_ns = 1'000 + 31 * 100;
  last.duration_ns = 99;
  last.dtype_in = DType::Half;
  const TrackEncoder encoder = encoded({first, last});
  EXPECT_EQ(encoder.start_ns(), 1'000);
  EXPECT_EQ(encoder.end_ns(), 1'000 + 3'199);
  EXPECT_EQ(track_bin_ns(encoder.start_ns(), encoder.end_ns()), 100u);
  const std::vector<Track> tracks = tracks_of(encoder.bytes());
  ASSERT_EQ(tracks.size(), 1u);
  EXPECT_EQ(tracks[0].bins.front(), (ClassTimes{31}));
  EXPECT_EQ(tracks[0].bins.back(), (ClassTimes{0, 99}));
  EXPECT_EQ(tracks[0].bins[1], ClassTimes{});
}

TEST(Tracks, HoldTheLargestTimes) {
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  OpCall call;
  call.start_ns = -kMost;
  call.duration_ns = kMost;
  OpCall later = call;
  later.start_ns = kMost;
  const TrackEncoder encoder = encoded({call, later});
  EXPECT_EQ(encoder.end_ns(), kMost);
  EXPECT_EQ(sums_of(tracks_of(encoder.bytes()))[0].times[4], kMost);
}

TEST(Tracks, TakeATwentiethOfAnOrdinaryChunk) {
  std::vector<OpCall> calls;
  for (int i = 0; i < 1000; ++i) {
    OpCall& call = calls.emplace_back();
    call.start_ns = i * 20'000;
    call.duration_ns = 14'000 + i % 50;
    call.dtype_in = i % 3 == 0 ? DType::Half : DType::Float;
  }
  EXPECT_LT(encoded(calls).bytes().size(), 10 * calls.size() / 20);
}

TEST(Tracks, OfDamagedBytesAreNoneOrSome) {
  RandomCalls random(3);
  const std::string whole = encoded(random_calls(7)).bytes();
  const std::size_t tracks = tracks_of(whole).size();
  const auto count = [](std::string_view bytes) {
    std::size_t shown = 0;
    return each_track(bytes, [&](const Track&) { ++shown; }) ? shown : 0;
  };
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_LT(count(std::string_view(whole).substr(0, size)), tracks);
  for (int round = 0; round < 5000; ++round) {
    std::string damaged = whole;
    for (int i = random.up_to(4); i >= 0; --i) {
      damaged[static_cast<std::size_t>(random.up_to(static_cast<int>(whole.size()) - 1))] =
          static_cast<char>(random.up_to(255));
    }
    EXPECT_LE(count(damaged), whole.size() / (3 + kTrackBins));
  }
}

}  // namespace tracks_test
}  // namespace ampprof
