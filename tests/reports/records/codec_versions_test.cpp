// SPDX-License-Identifier: Apache-2.0
// Decodes the bytes of each chunk codec in ../golden/chunk_codec_<number>.txt, and compares the result with the text in
// that file. The file of a released codec never changes: if this test fails, increment kChunkCodec as reports/README.md
// says.
#include <gtest/gtest.h>

#include <sstream>

#include "reports/records/activity_codec.h"
#include "reports/records/call_codec.h"
#include "reports/records/statistics_codec.h"
#include "tests/golden.h"
#include "tests/reports/random_calls.h"

namespace ampprof {

/// Statistics to which a later codec added two fields.
struct GrownStats {
  std::int64_t first = 0;
  std::int64_t count_since_2 = 0;
  double last = 0.0;
  double real_since_2 = 0.0;
};

template <>
inline constexpr auto kStatistics<GrownStats> = std::tuple{
    Statistic<GrownStats, std::int64_t>{"first", "", &GrownStats::first, merging::sum},
    Statistic<GrownStats, std::int64_t>{"count_since_2", "", &GrownStats::count_since_2, merging::sum, false, 2},
    Statistic<GrownStats, double>{"last", "", &GrownStats::last, merging::sum},
    Statistic<GrownStats, double>{"real_since_2", "", &GrownStats::real_since_2, merging::sum, false, 2},
};

namespace codec_versions_test {

using test_support::bytes_of;
using testing_reports::RandomCalls;

constexpr unsigned kSeed = 20;
constexpr int kRecords = 12;

std::string hexadecimal(const std::string& bytes) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string text;
  for (const char byte : bytes) {
    const auto number = static_cast<unsigned char>(byte);
    (text += kDigits[number >> 4]) += kDigits[number & 15];
  }
  return text;
}

std::string from_hexadecimal(const std::string& text) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
    bytes.push_back(static_cast<char>(std::stoi(text.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

struct ChunkBytes {
  std::string calls;
  std::string casts;
  std::string activities;
};

ChunkBytes encoded_today() {
  RandomCalls random(kSeed);
  CallEncoder calls;
  ActivityEncoder activities;
  std::vector<CastRecord> casts;
  for (int i = 0; i < kRecords; ++i) {
    calls.add(random.call(1, 9));
    casts.push_back(random.cast(1, 9));
    activities.add(random.activity(1, 9));
  }
  std::vector<const CastRecord*> pointers;
  for (const CastRecord& cast : casts) pointers.push_back(&cast);
  return {calls.bytes(), encode_casts(pointers), activities.bytes()};
}

template <class Stats>
void describe(std::ostream& out, const char* what, const std::optional<Stats>& stats, ChunkCodec codec) {
  if (!stats) return;
  out << "  " << what;
  each_statistic<Stats>([&](const auto& statistic) {
    if (statistic.since <= codec) out << ' ' << statistic.column << '=' << (*stats).*statistic.field;
  });
  out << '\n';
}

std::string described(const ChunkBytes& bytes, ChunkCodec codec) {
  const auto calls = decode_calls(bytes.calls, 1, codec);
  const auto casts = decode_casts(bytes.casts, 1, codec);
  const auto activities = decode_activities(bytes.activities, 1, codec);
  if (!calls || !casts || !activities) return "cannot be decoded\n";
  std::ostringstream out;
  out.precision(17);
  for (const OpCall& call : *calls) {
    out << "call site=" << call.call_site << " signature=" << call.signature << " start=" << call.start_ns
        << " duration=" << call.duration_ns << " thread=" << call.thread << " in=" << short_name(call.dtype_in)
        << " out=" << short_name(call.dtype_out) << " cast_bytes=" << call.cast_bytes
        << " scale=" << call.scale.value_or(0) << " expected=" << call.nonfinite_expected
        << " exponents=" << hexadecimal(std::string(call.exponents))
        << " inherited_exponents=" << hexadecimal(std::string(call.inherited_exponents)) << '\n';
    describe(out, "local", call.local, codec);
    describe(out, "ranges", call.ranges, codec);
    describe(out, "inherited", call.inherited, codec);
  }
  for (const CastRecord& cast : *casts) {
    out << "cast site=" << cast.call_site << " from=" << short_name(cast.from) << " to=" << short_name(cast.to)
        << " casts=" << cast.casts << " cache_hits=" << cast.cache_hits << " bytes=" << cast.bytes
        << " duration=" << cast.duration_ns << " rounded_twice=" << cast.rounded_twice << '\n';
  }
  for (const GpuActivity& activity : *activities) {
    out << "activity site=" << activity.call_site << " name=" << activity.name << " start=" << activity.start_ns
        << " duration=" << activity.duration_ns << " launched=" << activity.launched_ns << " bytes=" << activity.bytes
        << " device=" << activity.device << " stream=" << activity.stream << " thread=" << activity.thread
        << " graph=" << activity.graph << " kind=" << static_cast<int>(activity.kind) << '\n';
  }
  return out.str();
}

std::string golden_of(ChunkCodec codec) { return "chunk_codec_" + std::to_string(codec) + ".txt"; }

TEST(CodecVersions, TodaysBytesAreThoseOfItsNumber) {
  const ChunkBytes bytes = encoded_today();
  test_support::expect_golden(golden_of(kChunkCodec), hexadecimal(bytes.calls) + '\n' + hexadecimal(bytes.casts) +
                                                          '\n' + hexadecimal(bytes.activities) + '\n' +
                                                          described(bytes, kChunkCodec));
}

TEST(CodecVersions, WhatEachWroteIsRead) {
  for (ChunkCodec codec = 1; codec <= kChunkCodec; ++codec) {
    std::istringstream golden(bytes_of(AMPPROF_GOLDEN_FOLDER "/" + golden_of(codec)));
    std::string hexadecimals[3];
    for (std::string& line : hexadecimals) std::getline(golden, line);
    const std::string expected(std::istreambuf_iterator<char>(golden), {});
    const ChunkBytes bytes{from_hexadecimal(hexadecimals[0]), from_hexadecimal(hexadecimals[1]),
                           from_hexadecimal(hexadecimals[2])};
    EXPECT_FALSE(expected.empty()) << "codec " << codec;
    EXPECT_EQ(described(bytes, codec), expected) << "codec " << codec;
  }
}

TEST(CodecVersions, StatisticsThatCameLaterAreAbsentFromEarlierBytes) {
  std::string first;
  bytes::put_value(first, std::int64_t{3});
  bytes::put_value(first, 0.5);
  bytes::ByteReader from_first(first);
  const auto old = bytes::take_statistics<GrownStats>(from_first, 1);
  EXPECT_TRUE(from_first.at_end() && !from_first.failed());
  EXPECT_EQ(old.first, 3);
  EXPECT_EQ(old.last, 0.5);
  EXPECT_EQ(old.count_since_2, 0);
  EXPECT_TRUE(std::isnan(old.real_since_2));

  std::string second;
  bytes::put_statistics(second, GrownStats{.first = 3, .count_since_2 = 4, .last = 0.5, .real_since_2 = 7});
  bytes::ByteReader from_second(second);
  const auto grown = bytes::take_statistics<GrownStats>(from_second, 2);
  EXPECT_EQ(grown.count_since_2, 4);
  EXPECT_EQ(grown.real_since_2, 7);
}

TEST(CodecVersions, AnUnknownOneIsDamage) {
  const ChunkBytes bytes = encoded_today();
  for (const ChunkCodec codec : {ChunkCodec{0}, ChunkCodec{-1}, kChunkCodec + 1}) {
    EXPECT_FALSE(decode_calls(bytes.calls, 1, codec));
    EXPECT_FALSE(decode_casts(bytes.casts, 1, codec));
    EXPECT_FALSE(decode_activities(bytes.activities, 1, codec));
  }
}

}  // namespace codec_versions_test
}  // namespace ampprof
