// SPDX-License-Identifier: Apache-2.0
#include "reports/store/totals.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <unordered_map>

#include "reports/records/activity_codec.h"
#include "reports/records/call_codec.h"
#include "reports/store/report_error.h"

namespace ampprof {
namespace {

constexpr const char* kPutTotal =
    "INSERT OR REPLACE INTO op_total (run, call_site, position, calls, duration_ns, cast_bytes, nonfinite_calls, "
    "expected_calls, scale, pairs, excluded, flushed, max_abs, max_ulp, sum_ulp, sum_sq_error, sum_sq_reference, "
    "sum_sq_output, sum_product, elements, nonfinite, amax, smallest, reference_amax, rounds_to_inf, subnormal, "
    "rounds_to_zero, exponents, inherited_pairs, inherited_excluded, inherited_flushed, inherited_max_abs, "
    "inherited_max_ulp, inherited_sum_ulp, inherited_sum_sq_error, inherited_sum_sq_reference, "
    "inherited_sum_sq_output, inherited_sum_product, inherited_exponents) "
    "VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)";
constexpr const char* kPutVariant =
    "INSERT OR REPLACE INTO op_variant (run, call_site, position, signature, dtype_in, dtype_out, calls) "
    "VALUES (?,?,?,?,?,?,?)";
constexpr const char* kPutCast =
    "INSERT OR REPLACE INTO cast_total (run, call_site, position, dtype_from, dtype_to, casts, cache_hits, bytes, "
    "duration_ns, rounded_twice) VALUES (?,?,?,?,?,?,?,?,?,?)";
constexpr const char* kPutActivity =
    "INSERT OR REPLACE INTO gpu_activity_total (run, call_site, position, name, kind, count, duration_ns, bytes) "
    "VALUES (?,?,?,?,?,?,?,?)";

constexpr const char* kTotals =
    "SELECT call_site, position, calls, duration_ns, cast_bytes, nonfinite_calls, expected_calls, scale, pairs, "
    "excluded, flushed, max_abs, max_ulp, sum_ulp, sum_sq_error, sum_sq_reference, sum_sq_output, sum_product, "
    "elements, nonfinite, amax, smallest, reference_amax, rounds_to_inf, subnormal, rounds_to_zero, exponents, "
    "inherited_pairs, inherited_excluded, inherited_flushed, inherited_max_abs, inherited_max_ulp, inherited_sum_ulp, "
    "inherited_sum_sq_error, inherited_sum_sq_reference, inherited_sum_sq_output, inherited_sum_product, "
    "inherited_exponents FROM op_total WHERE run = ?";
constexpr const char* kCounts = "SELECT call_site, position, calls, nonfinite_calls FROM op_total WHERE run = ?";
constexpr const char* kVariants =
    "SELECT call_site, position, signature, dtype_in, dtype_out, calls FROM op_variant WHERE run = ?";
constexpr const char* kCasts =
    "SELECT call_site, position, dtype_from, dtype_to, casts, cache_hits, bytes, duration_ns, rounded_twice "
    "FROM cast_total WHERE run = ?";
constexpr const char* kActivities =
    "SELECT call_site, position, name, kind, count, duration_ns, bytes FROM gpu_activity_total WHERE run = ?";
constexpr const char* kChunks =
    "SELECT id, segment, count, calls, casts, activity_count, activities FROM call_chunk WHERE run = ? AND id > ? "
    "ORDER "
    "BY id";

void put_error(Statement& row, const std::optional<ErrorStats>& error) {
  if (!error) {
    row.put_null(10);
    return;
  }
  row.put(error->count).put(error->excluded).put(error->flushed).put(error->max_abs).put(error->max_ulp);
  row.put(error->sum_ulp).put(error->sum_sq_error).put(error->sum_sq_reference).put(error->sum_sq_output);
  row.put(error->sum_product);
}

void put_ranges(Statement& row, const std::optional<RangeStats>& ranges) {
  if (!ranges) {
    row.put_null(8);
    return;
  }
  row.put(ranges->count).put(ranges->nonfinite).put(ranges->amax);
  // NULL, so that MIN() over rows skips it.
  ranges->smallest == 0.0 ? row.put_null() : row.put(ranges->smallest);
  row.put(ranges->reference_amax).put(ranges->rounds_to_inf).put(ranges->subnormal).put(ranges->rounds_to_zero);
}

std::optional<ErrorStats> take_error(Statement& row) {
  if (row.at_null()) {
    row.skip(10);
    return std::nullopt;
  }
  return ErrorStats{.count = row.integer(),
                    .excluded = row.integer(),
                    .flushed = row.integer(),
                    .max_abs = row.real(),
                    .max_ulp = row.real(),
                    .sum_ulp = row.real(),
                    .sum_sq_error = row.real(),
                    .sum_sq_reference = row.real(),
                    .sum_sq_output = row.real(),
                    .sum_product = row.real()};
}

std::optional<RangeStats> take_ranges(Statement& row) {
  if (row.at_null()) {
    row.skip(8);
    return std::nullopt;
  }
  return RangeStats{.count = row.integer(),
                    .nonfinite = row.integer(),
                    .amax = row.real(),
                    .smallest = row.optional_real().value_or(0.0),
                    .reference_amax = row.real(),
                    .rounds_to_inf = row.integer(),
                    .subnormal = row.integer(),
                    .rounds_to_zero = row.integer()};
}

std::optional<ExponentHistogram> take_exponents(Statement& row) {
  const std::string encoded = row.blob();
  return encoded.empty() ? std::nullopt : decode_exponents(encoded);
}

SiteInStep take_place(Statement& row) {
  const std::int64_t site = row.integer();
  return {site, static_cast<std::int32_t>(row.integer())};
}

void read_stored(Database& database, std::int64_t run, OpTotals& totals) {
  Statement rows(database, kTotals);
  rows.put(run);
  while (rows.next()) {
    OpTotal& total = totals[take_place(rows)];
    total.calls = rows.integer();
    total.duration_ns = rows.integer();
    total.cast_bytes = rows.integer();
    total.nonfinite_calls = rows.integer();
    total.expected_calls = rows.integer();
    total.scale = rows.optional_real();
    total.local = take_error(rows);
    total.ranges = take_ranges(rows);
    total.exponents = take_exponents(rows);
    total.inherited = take_error(rows);
    total.inherited_exponents = take_exponents(rows);
  }
}

void read_variants(Database& database, std::int64_t run, OpTotals& totals) {
  Statement rows(database, kVariants);
  rows.put(run);
  while (rows.next()) {
    OpTotal& total = totals[take_place(rows)];
    const std::int64_t signature = rows.integer();
    const DType in = dtype_from_number(rows.integer());
    const DType out = dtype_from_number(rows.integer());
    total.variants.push_back({{signature, in, out}, rows.integer()});
  }
}

void read_casts(Database& database, std::int64_t run, OpTotals& totals) {
  Statement rows(database, kCasts);
  rows.put(run);
  while (rows.next()) {
    OpTotal& total = totals[take_place(rows)];
    CastRecord cast;
    cast.from = dtype_from_number(rows.integer());
    cast.to = dtype_from_number(rows.integer());
    cast.casts = rows.integer();
    cast.cache_hits = rows.integer();
    cast.bytes = rows.integer();
    cast.duration_ns = rows.integer();
    cast.rounded_twice = rows.integer();
    total.add(cast);
  }
}

void read_activities(Database& database, std::int64_t run, OpTotals& totals) {
  Statement rows(database, kActivities);
  rows.put(run);
  while (rows.next()) {
    OpTotal& total = totals[take_place(rows)];
    GpuActivityTotal activity;
    activity.name = static_cast<std::int32_t>(rows.integer());
    activity.kind = gpu_activity_kind_from_number(rows.integer());
    activity.count = rows.integer();
    activity.duration_ns = rows.integer();
    activity.bytes = rows.integer();
    total.add(activity);
  }
}

std::unordered_map<std::int64_t, std::int32_t> positions_of(Database& database, std::int64_t run) {
  Statement rows(database, "SELECT id, position FROM segment WHERE run = ? AND position <> 0");
  rows.put(run);
  std::unordered_map<std::int64_t, std::int32_t> positions;
  while (rows.next()) {
    const std::int64_t id = rows.integer();
    positions[id] = static_cast<std::int32_t>(rows.integer());
  }
  return positions;
}

/// Reads chunks in the order of their ids, each of which must be there.
class Chunks {
 public:
  Chunks(Database& database, std::int64_t run, std::int64_t after) : rows_(database, kChunks), last_(after) {
    rows_.put(run).put(after);
  }

  std::optional<CallChunk> next() {
    return next_of([](std::int64_t) { return true; });
  }
  /// The next of a segment that is wanted.
  template <class IsWanted>
  std::optional<CallChunk> next_of(const IsWanted& is_wanted) {
    std::int64_t segment = 0;
    do {
      if (!rows_.next()) return std::nullopt;
      if (rows_.integer() != ++last_) chunks_are_damaged();
      segment = rows_.integer();
    } while (!is_wanted(segment));
    const std::int64_t count = rows_.integer();
    auto calls = decode_calls(rows_.blob(), segment);
    auto casts = decode_casts(rows_.blob(), segment);
    const std::int64_t activity_count = rows_.integer();
    auto activities = decode_activities(rows_.blob(), segment);
    if (!calls || !casts || !activities || std::ssize(*calls) != count || std::ssize(*activities) != activity_count) {
      chunks_are_damaged();
    }
    return CallChunk{segment, std::move(*calls), std::move(*casts), std::move(*activities)};
  }
  /// Id of the last one read.
  std::int64_t last() const { return last_; }

 private:
  Statement rows_;
  std::int64_t last_;
};

/// What is in no total yet.
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
  Statement row(database, "SELECT coalesce(rolled_up_to, 0) FROM run WHERE id = ?");
  row.put(run);
  return row.next() ? row.integer() : 0;
}

TotalsWriter::TotalsWriter(Database& database)
    : total_(database, kPutTotal),
      variant_(database, kPutVariant),
      cast_(database, kPutCast),
      activities_(database, kPutActivity) {}

void TotalsWriter::put(std::int64_t run, const SiteInStep& place, const OpTotal& total) {
  const auto& [site, position] = place;
  const std::string exponents = total.exponents ? encode(*total.exponents) : std::string();
  const std::string inherited = total.inherited_exponents ? encode(*total.inherited_exponents) : std::string();
  if (total.calls > 0) {  // else GPU activities outside of any op call
    total_.put(run).put(site).put(position).put(total.calls).put(total.duration_ns).put(total.cast_bytes);
    total_.put(total.nonfinite_calls).put(total.expected_calls).put(total.scale);
    put_error(total_, total.local);
    put_ranges(total_, total.ranges);
    total_.put_blob(exponents);
    put_error(total_, total.inherited);
    total_.put_blob(inherited).execute();
  }
  for (const auto& [variant, calls] : total.variants) {
    const auto& [signature, in, out] = variant;
    variant_.put(run).put(site).put(position).put(signature).put(static_cast<int>(in)).put(static_cast<int>(out));
    variant_.put(calls).execute();
  }
  for (const CastRecord& cast : total.casts) {
    cast_.put(run).put(site).put(position).put(static_cast<int>(cast.from)).put(static_cast<int>(cast.to));
    cast_.put(cast.casts).put(cast.cache_hits).put(cast.bytes).put(cast.duration_ns).put(cast.rounded_twice).execute();
  }
  for (const GpuActivityTotal& activity : total.activities) {
    activities_.put(run)
        .put(site)
        .put(position)
        .put(activity.name)
        .put(static_cast<int>(activity.kind))
        .put(activity.count);
    activities_.put(activity.duration_ns).put(activity.bytes).execute();
  }
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
  Statement row(database, "SELECT coalesce(max(id), 0) FROM call_chunk WHERE run = ?");
  row.put(run);
  return row.next() ? row.integer() : 0;
}

OpTotals read_counts(Database& database, std::int64_t run) {
  OpTotals totals;
  Statement rows(database, kCounts);
  rows.put(run);
  while (rows.next()) {
    OpTotal& total = totals[take_place(rows)];
    total.calls = rows.integer();
    total.nonfinite_calls = rows.integer();
  }
  read_casts(database, run, totals);
  add_chunks(database, run, totals);
  return totals;
}

OpTotals read_totals(Database& database, std::int64_t run) {
  OpTotals totals;
  read_stored(database, run, totals);
  read_variants(database, run, totals);
  read_casts(database, run, totals);
  read_activities(database, run, totals);
  add_chunks(database, run, totals);
  return totals;
}

}  // namespace ampprof
