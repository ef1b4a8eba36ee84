// SPDX-License-Identifier: Apache-2.0
#include "reports/store/totals.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <unordered_set>

#include "reports/records/activity_codec.h"
#include "reports/records/call_codec.h"
#include "reports/records/merge_optional.h"
#include "reports/records/saturating_add.h"
#include "reports/store/report_error.h"

namespace ampprof::store {
namespace {

constexpr const char* kCounts = "SELECT call_site, position, calls, nonfinite_calls FROM op_total WHERE run = ?";
constexpr const char* kChunks =
    "SELECT id, segment, codec, count, calls, casts, activity_count, activities FROM call_chunk WHERE run = ? AND id > "
    "? ORDER BY id";

constexpr auto kTimesAndErrors = table<TimeAndError>(
    "op_total", keys("run", "call_site", "position"),
    std::tuple{column("calls", &TimeAndError::calls), column("duration_ns", &TimeAndError::duration_ns),
               optional_part("", &TimeAndError::local, statistics_columns<ErrorStats>())});

SiteInStep take_place(Statement& row) {
  const std::int64_t site = row.integer();
  return {site, static_cast<std::int32_t>(row.integer())};
}

/// Calls `show(place, row)` for each row of a table of totals.
template <class Declared, class Show>
void each_total(Database& database, const Declared& declared, std::int64_t run, const Show& show) {
  Statement rows(database, select_from(declared, "call_site, position") + "WHERE run = ?", run);
  while (rows.next()) {
    const SiteInStep place = take_place(rows);
    show(place, take(rows, declared));
  }
}

void read_casts(Database& database, std::int64_t run, OpTotals& totals) {
  each_total(database, kCastTotal, run,
             [&](const SiteInStep& place, const CastRecord& cast) { totals[place].add(cast); });
}

/// Fills an empty `totals` from the stored totals. Each table holds a part of an OpTotal.
void read_stored(Database& database, std::int64_t run, OpTotals& totals) {
  each_total(database, kOpTotal, run,
             [&](const SiteInStep& place, OpTotal&& total) { totals[place] = std::move(total); });
  each_total(database, kOpVariant, run,
             [&](const SiteInStep& place, const VariantCalls& variant) { totals[place].variants.push_back(variant); });
  read_casts(database, run, totals);
  each_total(database, kGpuActivityTotal, run,
             [&](const SiteInStep& place, const GpuActivityTotal& activity) { totals[place].add(activity); });
}

std::unordered_map<std::int64_t, std::int32_t> positions_of(Database& database, std::int64_t run) {
  Statement rows(database, "SELECT id, position FROM segment WHERE run = ? AND position <> 0", run);
  std::unordered_map<std::int64_t, std::int32_t> positions;
  while (rows.next()) {
    const std::int64_t id = rows.integer();
    positions[id] = static_cast<std::int32_t>(rows.integer());
  }
  return positions;
}

/// Reads chunks in the order of their ids. A missing chunk is an error.
class Chunks {
 public:
  Chunks(Database& database, std::int64_t run, std::int64_t after) : rows_(database, kChunks), last_(after) {
    rows_.put(run).put(after);
  }

  std::optional<CallChunk> next() {
    return next_of([](std::int64_t) { return true; });
  }
  /// Moves to the next chunk of a wanted segment.
  template <class IsWanted>
  std::optional<CallChunk> next_of(const IsWanted& is_wanted) {
    std::int64_t segment = 0;
    do {
      if (!rows_.next()) return std::nullopt;
      if (rows_.integer() != ++last_) chunks_are_damaged();
      segment = rows_.integer();
    } while (!is_wanted(segment));
    const ChunkCodec codec = rows_.integer();
    const std::int64_t count = rows_.integer();
    auto calls = decode_calls(rows_.blob(), segment, codec);
    auto casts = decode_casts(rows_.blob(), segment, codec);
    const std::int64_t activity_count = rows_.integer();
    auto activities = decode_activities(rows_.blob(), segment, codec);
    if (!calls || !casts || !activities || std::ssize(*calls) != count || std::ssize(*activities) != activity_count) {
      chunks_are_damaged();
    }
    return CallChunk{segment, std::move(*calls), std::move(*casts), std::move(*activities)};
  }
  /// Returns the id of the last chunk read.
  std::int64_t last() const { return last_; }

 private:
  Statement rows_;
  std::int64_t last_;
};

/// Adds the chunks that stored totals do not include yet.
void add_chunks(Database& database, std::int64_t run, OpTotals& totals) {
  Chunks chunks(database, run, rolled_up_to(database, run));
  std::optional<std::unordered_map<std::int64_t, std::int32_t>> positions;
  while (const auto chunk = chunks.next()) {
    if (!positions) positions = positions_of(database, run);
    const auto known = positions->find(chunk->segment);
    const std::int32_t position = known == positions->end() ? 0 : known->second;
    for (const OpCall& call : chunk->calls) totals[{call.call_site, position}].add(call);
    for (const CastRecord& cast : chunk->casts) totals[{cast.call_site, position}].add(cast);
    for (const GpuActivity& activity : chunk->activities) totals[{activity.call_site, position}].add(activity);
  }
}

}  // namespace

void chunks_are_damaged() { throw ReportError("the report is damaged: the op calls of a step cannot be read"); }

std::int64_t rolled_up_to(Database& database, std::int64_t run) {
  Statement row(database, "SELECT coalesce(rolled_up_to, 0) FROM run WHERE id = ?", run);
  return row.next() ? row.integer() : 0;
}

TotalsWriter::TotalsWriter(Database& database)
    : total_(database, kInsertOrReplace),
      variant_(database, kInsertOrReplace),
      cast_(database, kInsertOrReplace),
      activity_(database, kInsertOrReplace) {}

void TotalsWriter::put(std::int64_t run, const SiteInStep& place, const OpTotal& total) {
  const auto& [site, position] = place;
  if (total.calls > 0) total_(total, run, site, position);  // else only activities outside of any op call
  for (const VariantCalls& variant : total.variants) variant_(variant, run, site, position);
  for (const CastRecord& cast : total.casts) cast_(cast, run, site, position);
  for (const GpuActivityTotal& activity : total.activities) activity_(activity, run, site, position);
}

void each_call(Database& database, std::int64_t run, const std::function<void(const OpCall&)>& visit) {
  each_call_of(
      database, run, [](std::int64_t) { return true; }, visit);
}

void each_call_of(Database& database, std::int64_t run, const std::function<bool(std::int64_t)>& is_wanted,
                  const std::function<void(const OpCall&)>& visit) {
  each_chunk_of(database, run, is_wanted, [&](const CallChunk& chunk) { std::ranges::for_each(chunk.calls, visit); });
}

void each_chunk_of(Database& database, std::int64_t run, const std::function<bool(std::int64_t)>& is_wanted,
                   const std::function<void(const CallChunk&)>& visit) {
  Chunks chunks(database, run, 0);
  while (const auto chunk = chunks.next_of(is_wanted)) visit(*chunk);
  if (chunks.last() < rolled_up_to(database, run)) chunks_are_damaged();
}

std::int64_t newest_chunk(Database& database, std::int64_t run) {
  Statement row(database, "SELECT coalesce(max(id), 0) FROM call_chunk WHERE run = ?", run);
  return row.next() ? row.integer() : 0;
}

OpTotals read_counts(Database& database, std::int64_t run) {
  OpTotals totals;
  Statement rows(database, kCounts, run);
  while (rows.next()) {
    OpTotal& total = totals[take_place(rows)];
    total.calls = rows.integer();
    total.nonfinite_calls = rows.integer();
  }
  read_casts(database, run, totals);
  add_chunks(database, run, totals);
  return totals;
}

RunCounts count_calls(Database& database, std::int64_t run) {
  RunCounts counts;
  std::unordered_set<std::int64_t> nonfinite;
  const auto add = [&](const SiteInStep& place, std::int64_t calls, std::int64_t nonfinite_calls) {
    saturating_add(counts.calls, calls);
    if (nonfinite_calls > 0) nonfinite.insert(place.first);
  };
  Statement rows(database, kCounts, run);
  while (rows.next()) {
    const SiteInStep place = take_place(rows);
    const std::int64_t calls = rows.integer();
    add(place, calls, rows.integer());
  }
  OpTotals rest;  // casts, and chunks that no stored total includes yet
  read_casts(database, run, rest);
  add_chunks(database, run, rest);
  for (const auto& [place, total] : rest) {
    add(place, total.calls, total.nonfinite_calls);
    for (const CastRecord& cast : total.casts) saturating_add(counts.casts, cast.casts);
  }
  counts.nonfinite_sites = std::ssize(nonfinite);
  return counts;
}

std::map<SiteInStep, TimeAndError> read_times_and_errors(Database& database, std::int64_t run) {
  std::map<SiteInStep, TimeAndError> totals;
  each_total(database, kTimesAndErrors, run, [&](const SiteInStep& place, const TimeAndError& total) {
    totals.insert_or_assign(totals.end(), place, total);  // rows come in the order of their places
  });
  OpTotals rest;
  add_chunks(database, run, rest);
  for (const auto& [place, part] : rest) {
    TimeAndError& total = totals[place];
    saturating_add(total.calls, part.calls);
    saturating_add(total.duration_ns, part.duration_ns);
    merge_optional(total.local, part.local);
  }
  return totals;
}

OpTotals read_totals(Database& database, std::int64_t run) {
  OpTotals totals;
  read_stored(database, run, totals);
  add_chunks(database, run, totals);
  return totals;
}

}  // namespace ampprof::store
