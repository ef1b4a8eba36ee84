// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

#include "reports/records/bytes.h"
#include "reports/records/statistics.h"

/// Encodes statistics as bytes of a chunk: counts as LEB128 numbers, reals as eight bytes, in the order of their list.
namespace ampprof::bytes {

inline void put_value(std::string& to, std::int64_t count) { put_count(to, count); }
inline void put_value(std::string& to, double value) { put_real(to, value); }
inline void take_value(ByteReader& from, std::int64_t& count) { count = from.count(); }
inline void take_value(ByteReader& from, double& value) { value = from.real(); }

template <class Stats>
void put_statistics(std::string& to, const Stats& stats) {
  each_statistic<Stats>([&](const auto& statistic) { put_value(to, stats.*statistic.field); });
}

/// Decodes bytes that were written with `codec`. Statistics that only later codecs store get count 0 or NaN, as if read
/// from a table without their column.
template <class Stats>
Stats take_statistics(ByteReader& from, ChunkCodec codec) {
  Stats stats;
  each_statistic<Stats>([&]<class Value>(const Statistic<Stats, Value>& statistic) {
    if (statistic.since <= codec) return take_value(from, stats.*statistic.field);
    if constexpr (std::is_floating_point_v<Value>) stats.*statistic.field = std::numeric_limits<Value>::quiet_NaN();
  });
  return stats;
}

}  // namespace ampprof::bytes
