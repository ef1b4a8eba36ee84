// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "reports/records/op_total.h"
#include "reports/records/step.h"

namespace ampprof::store {

/// Totals of one run, updated while its records are written, so that opening the report need not sum up op calls.
///
/// The step and position of a segment are known once a later segment was seen. Until then the totals of its calls are
/// pending here. Not thread-safe.
class Rollup {
 public:
  Rollup() = default;
  /// Continues from totals that include all chunks up to `last_chunk`.
  Rollup(const OpTotals& totals, std::int64_t last_chunk);

  /// Announces the next chunk: its id, and the segment of its calls, casts and activities. Ids ascend.
  void begin_chunk(std::int64_t id, std::int64_t segment);
  /// Announces records of this segment that are in no chunk.
  void begin_without_chunk(std::int64_t segment);
  /// Add a record to the chunk that begin_chunk() announced for its segment, or, after begin_without_chunk(), to no
  /// chunk.
  void add(const OpCall& call) { total_of(call.segment, call.call_site).add(call); }
  void add(const CastRecord& cast) { total_of(cast.segment, cast.call_site).add(cast); }
  void add(const GpuActivity& activity) { total_of(activity.segment, activity.call_site).add(activity); }
  /// Finishes the segments before the newest. Call it before adding the calls of the same batch, so that calls of
  /// finished segments are not pending.
  void segment_seen(const Segment& segment);
  /// Finishes all segments. Call it after the last record.
  void finish_all();

  std::int64_t last_chunk() const { return last_chunk_; }
  /// Returns the last chunk up to which the totals include all chunks; 0 if there is none.
  std::int64_t complete_up_to() const;
  /// Returns whether the totals include no chunk after complete_up_to(). False if a chunk of a finished segment follows
  /// the first chunk of an unfinished segment: a reader that adds all later chunks to the totals would count that chunk
  /// twice.
  bool is_whole() const { return finished_up_to_ <= complete_up_to(); }
  const OpTotal& total(const SiteInStep& place) const { return totals_.at(place.second).at(place.first); }
  /// Returns the places with totals that changed since the last take_changed().
  std::vector<SiteInStep> take_changed();
  std::size_t changed() const { return changed_.size(); }

 private:
  /// Totals by call site, in a vector, since ids are small and lookups take most of the time.
  class BySite {
   public:
    OpTotal& at(std::int64_t site);
    const OpTotal& at(std::int64_t site) const { return totals_[static_cast<std::size_t>(site)]; }
    /// Marks a call site. Returns false if it was already marked.
    bool mark(std::int64_t site);
    void unmark(std::int64_t site) { marked_[static_cast<std::size_t>(site)] = false; }

   private:
    std::vector<OpTotal> totals_;
    std::vector<bool> marked_;
  };

  struct OpenSegment {
    std::int64_t first_chunk = 0;
    std::int64_t last_chunk = 0;
    BySite totals;  ///< cleared but not freed between segments
    std::vector<std::int64_t> sites;
  };

  bool is_finished(std::int64_t segment) const { return segment < newest_segment_; }
  OpenSegment& open(std::int64_t segment);
  std::int32_t position_of(std::int64_t segment) const;
  OpTotal& total_of(std::int64_t segment, std::int64_t site);
  void close(std::int64_t segment, OpenSegment& open);
  void close_before(std::int64_t segment);

  std::map<std::int32_t, BySite> totals_;  ///< totals by position in the step
  std::vector<SiteInStep> changed_;
  std::map<std::int64_t, OpenSegment> open_;
  std::vector<OpenSegment> spare_;
  std::unordered_map<std::int64_t, std::int32_t> positions_;  ///< position by segment; no entry for position 0
  std::int64_t newest_segment_ = 0;
  std::int64_t last_chunk_ = 0;
  std::int64_t finished_up_to_ = 0;  ///< newest chunk of a finished segment
};

}  // namespace ampprof::store
