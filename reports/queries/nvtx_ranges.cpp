// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/nvtx_ranges.h"

#include <algorithm>
#include <limits>
#include <tuple>

#include "reports/queries/lookups.h"
#include "reports/records/saturating_add.h"
#include "reports/store/tables.h"

namespace ampprof::queries {

namespace {

constexpr int kMostBits = 63;  // most bits that a length in ns has

const std::string kRanges = store::select_from(store::kNvtxRange) +
                            "WHERE run = ? AND length = ? AND start_ns >= ? AND start_ns <= ? AND end_ns >= ? LIMIT ?";

// Finds threads one by one through the index, since GROUP BY would scan all ranges.
constexpr const char* kDepths =
    "WITH RECURSIVE threads(thread) AS (SELECT min(thread) FROM nvtx_range WHERE run = ?1 UNION ALL "
    "SELECT (SELECT min(thread) FROM nvtx_range WHERE run = ?1 AND thread > threads.thread) FROM threads "
    "WHERE thread IS NOT NULL) SELECT thread, (SELECT max(depth) FROM nvtx_range m WHERE m.run = ?1 AND "
    "m.thread = threads.thread) FROM threads WHERE thread IS NOT NULL";

/// Returns the longest length in ns that has this many bits.
std::int64_t longest_of(int bits) { return std::numeric_limits<std::int64_t>::max() >> (kMostBits - bits); }

/// Returns the earliest start of a range whose length has this many bits and that reaches a moment.
std::int64_t earliest_start(std::int64_t reached_ns, int bits) {
  if (bits >= kMostBits) return std::numeric_limits<std::int64_t>::min();  // a length of kMostBits may be saturated
  saturating_add(reached_ns, -longest_of(bits));
  return reached_ns;
}

std::vector<NvtxRange> ranges_of_length(store::Statement& rows, std::int64_t run, const TimeSpan& span, int bits,
                                        std::int64_t limit) {
  rows.put(run).put(bits).put(earliest_start(span.from_ns, bits)).put(span.to_ns).put(span.from_ns).put(limit);
  std::vector<NvtxRange> ranges;
  while (rows.next()) ranges.push_back(store::take(rows, store::kNvtxRange));
  return ranges;
}

}  // namespace

SpanRanges span_ranges(const Report& report, std::int64_t run, const TimeSpan& span, std::int64_t most) {
  const store::Snapshot snapshot(report);
  SpanRanges found;
  std::vector<NvtxRange> all;
  store::Statement rows(report, kRanges);
  for (int bits = kMostBits; bits >= 0; --bits) {
    const std::int64_t room = most - std::ssize(all);
    const std::vector<NvtxRange> more = ranges_of_length(rows, run, span, bits, room + 1);
    if (std::ssize(more) > room) {
      found.shorter_than_ns = longest_of(bits);
      saturating_add(found.shorter_than_ns, 1);
      break;
    }
    all.insert(all.end(), more.begin(), more.end());
  }
  const auto names = range_names_of(report, run);
  for (const NvtxRange& range : all) {
    const auto name = names.find(range.name);
    found.ranges.push_back({range, name == names.end() ? std::string() : name->second});
  }
  std::ranges::sort(found.ranges, {}, [](const SpanRange& each) {
    return std::tuple(each.range.thread, each.range.start_ns, each.range.depth);
  });
  return found;
}

std::map<std::int32_t, std::int32_t> range_depths(const Report& report, std::int64_t run) {
  const store::Snapshot snapshot(report);
  store::Statement rows(report, kDepths, run);
  std::map<std::int32_t, std::int32_t> depths;
  while (rows.next()) {
    const auto thread = static_cast<std::int32_t>(rows.integer());
    depths[thread] = static_cast<std::int32_t>(rows.integer());
  }
  return depths;
}

}  // namespace ampprof::queries
