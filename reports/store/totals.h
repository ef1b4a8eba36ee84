// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "reports/records/op_total.h"
#include "reports/store/sqlite.h"
#include "reports/store/tables.h"

namespace ampprof::store {

/// Writes totals of one run into the tables op_total, op_variant, cast_total and gpu_activity_total, replacing old
/// rows.
class TotalsWriter {
 public:
  explicit TotalsWriter(Database& database);
  void put(std::int64_t run, const SiteInStep& place, const OpTotal& total);

 private:
  Insert<kOpTotal> total_;
  Insert<kOpVariant> variant_;
  Insert<kCastTotal> cast_;
  Insert<kGpuActivityTotal> activity_;
};

/// Adds up all records of a run: the stored totals, and the chunks that they do not include yet because the program was
/// killed or still runs. Throws ReportError for a damaged file.
OpTotals read_totals(Database& database, std::int64_t run);
/// Reads only counts: op calls, calls with an unexpected NaN or inf, and casts. Several times faster than
/// read_totals().
OpTotals read_counts(Database& database, std::int64_t run);
/// Sums over all op calls of a run.
struct RunCounts {
  std::int64_t calls = 0;
  std::int64_t casts = 0;
  std::int64_t nonfinite_sites = 0;  ///< call sites with an unexpected NaN or inf
};
/// Sums the counts of read_counts() without keeping a total for each place.
RunCounts count_calls(Database& database, std::int64_t run);
/// The part of an OpTotal that a comparison of ranks needs; a twentieth of its size.
struct TimeAndError {
  std::int64_t calls = 0;
  std::int64_t duration_ns = 0;
  std::optional<ErrorStats> local;
};
/// Reads only the number, time and local error of op calls, by place.
std::map<SiteInStep, TimeAndError> read_times_and_errors(Database& database, std::int64_t run);

/// Calls `visit` with every op call of a run, in the order of writing. Throws ReportError for a damaged file.
void each_call(Database& database, std::int64_t run, const std::function<void(const OpCall&)>& visit);

/// Records of one segment that were written together.
struct CallChunk {
  std::int64_t segment = 0;
  std::vector<OpCall> calls;
  std::vector<CastRecord> casts;
  std::vector<GpuActivity> activities;
};

/// Calls `visit` with the chunks of the segments for which `is_wanted` is true. Does not decode other chunks.
void each_chunk_of(Database& database, std::int64_t run, const std::function<bool(std::int64_t)>& is_wanted,
                   const std::function<void(const CallChunk&)>& visit);

/// Calls `visit` with every op call of the wanted segments, in the order of writing.
void each_call_of(Database& database, std::int64_t run, const std::function<bool(std::int64_t)>& is_wanted,
                  const std::function<void(const OpCall&)>& visit);

/// Throws the ReportError for a chunk that is missing or cannot be read.
[[noreturn]] void chunks_are_damaged();

/// Returns the id up to which chunks are included in the stored totals; 0 if none is.
std::int64_t rolled_up_to(Database& database, std::int64_t run);
/// Returns the id of the newest chunk of a run; 0 if there is none.
std::int64_t newest_chunk(Database& database, std::int64_t run);

}  // namespace ampprof::store
