// SPDX-License-Identifier: Apache-2.0
#include "reports/store/oldest_details.h"

#include <string>

#include "reports/records/left_out.h"

namespace ampprof::store {
namespace {

constexpr std::int64_t kAtOnce = 64;  // number of chunks that one call empties

constexpr const char* kOldest =
    "SELECT max(id), max(segment), sum(count), sum(activity_count) FROM (SELECT id, segment, count, activity_count "
    "FROM call_chunk WHERE run = ? AND "
    "id <= ? AND (tracks IS NOT NULL OR activity_tracks IS NOT NULL OR casts IS NOT NULL) ORDER BY id LIMIT ?)";
/// Empties chunks but keeps their rows, since readers report a missing row as damage.
constexpr const char* kEmpty =
    "UPDATE call_chunk SET count = 0, start_ns = NULL, end_ns = NULL, tracks = NULL, calls = NULL, casts = NULL, "
    "activity_count = 0, activity_ns = 0, activity_start_ns = NULL, activity_end_ns = NULL, activity_tracks = NULL, "
    "activities = NULL WHERE run = ? AND id <= ? AND (tracks IS NOT NULL OR activity_tracks IS NOT NULL OR casts IS "
    "NOT NULL)";

/// A table in which each row belongs to one segment.
struct OfSegments {
  const char* table;
  const char* what;
};
constexpr OfSegments kOfSegments[]{{"loss_impact", left_out::kImpacts},
                                   {"gradient_impact", left_out::kGradientImpacts},
                                   {"gradient_error", left_out::kGradientErrors},
                                   {"recipe_matmul", left_out::kRecipeMatmuls},
                                   {"stale_cast", left_out::kStaleCasts},
                                   {"decision", left_out::kDecisions},
                                   {"weight_update", left_out::kUpdates},
                                   {"parameter_checksum", left_out::kChecksums},
                                   {"collective", left_out::kCollectives},
                                   {"collective_sketch", left_out::kCollectiveSketches},
                                   {"sketch", left_out::kSketches}};

/// Counts the rows that `change` deletes or empties.
std::int64_t changed_by(Database& database, Statement& change) {
  const auto so_far = [&] {
    Statement row(database, "SELECT total_changes()");
    row.next();
    return row.integer();
  };
  const std::int64_t before = so_far();
  change.execute();
  return so_far() - before;
}

/// Drops records of segments before `segment`, and adds their counts to `missing`.
void drop_before(Database& database, std::int64_t run, std::int64_t segment, std::vector<Missing>& missing) {
  const auto drop = [&](const char* what, const std::string& condition) {
    Statement rows(database, "DELETE FROM " + condition);
    rows.put(run).put(segment);
    if (const std::int64_t count = changed_by(database, rows); count > 0)
      missing.push_back({what, count, left_out::kCause, left_out::kRemedy});
  };
  for (const auto& [table, what] : kOfSegments) drop(what, std::string(table) + " WHERE run = ? AND segment < ?");
  drop(left_out::kRanges,
       "nvtx_range WHERE run = ?1 AND end_ns < (SELECT start_ns FROM segment WHERE run = ?1 AND id = ?2)");
}

}  // namespace

std::int64_t used_bytes(Database& database) {
  return (database.pragma("page_count") - database.pragma("freelist_count")) * database.pragma("page_size");
}

std::int64_t bytes_of_chunks(Database& database, std::int64_t run) {
  Statement row(database,
                "SELECT sum(ifnull(length(tracks), 0) + ifnull(length(calls), 0) + ifnull(length(casts), 0) + "
                "ifnull(length(activity_tracks), 0) + ifnull(length(activities), 0)) FROM call_chunk WHERE run = ?",
                run);
  row.next();
  return row.integer();
}

std::optional<std::vector<Missing>> drop_oldest_details(Database& database, std::int64_t run, std::int64_t last_chunk) {
  Statement oldest(database, kOldest, run, last_chunk, kAtOnce);
  if (!oldest.next() || oldest.at_null()) return std::nullopt;
  const std::int64_t last = oldest.integer(), segment = oldest.integer(), calls = oldest.integer();
  const std::int64_t activities = oldest.integer();
  Statement(database, kEmpty, run, last).execute();
  std::vector<Missing> missing;
  if (calls > 0) missing.push_back({left_out::kCalls, calls, left_out::kCause, left_out::kRemedyOfCalls});
  if (activities > 0)
    missing.push_back({left_out::kActivities, activities, left_out::kCause, left_out::kRemedyOfCalls});
  drop_before(database, run, segment, missing);
  return missing;
}

}  // namespace ampprof::store
