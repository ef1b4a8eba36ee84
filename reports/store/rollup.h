// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "reports/records/op_total.h"
#include "reports/records/step.h"

namespace ampprof::store {

/// Totals of one run, kept while its records are written, so that nothing has to be added up when the report is opened.
///
/// A call's place in the step is known when its segment's is: once a later segment was seen. Until then its calls wait
/// here, added up. Not thread-safe.
class Rollup {
 public:
  Rollup() = default;
  /// Goes on from totals that hold everything up to a chunk.
  Rollup(const OpTotals& totals, std::int64_t last_chunk);

  /// Says that the next chunk, of calls, casts and activities of this segment, has this id. Ids ascend.
  void begin_chunk(std::int64_t id, std::int64_t segment);
  /// Begins what is in no chunk: whatever comes next of this segment.
  void begin_without_chunk(std::int64_t segment);
  /// Belongs to the newest chunk of its segment, or to none.
  void add(const OpCall& call) { total_of(call.segment, call.call_site).add(call); }
  void add(const CastRecord& cast) { total_of(cast.segment, cast.call_site).add(cast); }
  void add(const GpuActivity& activity) { total_of(activity.segment, activity.call_site).add(activity); }
  /// Finishes the segments before the newest. Best called before the calls of the same batch are added: those of
  /// finished segments need not wait then.
  void segment_seen(const Segment& segment);
  /// No more records will come.
  void finish_all();

  std::int64_t last_chunk() const { return last_chunk_; }
  /// Up to this chunk everything is in the totals; 0 where nothing is.
  std::int64_t complete_up_to() const;
  /// Nothing after complete_up_to() is in the totals. Else a segment that is still open was written before the last of
  /// a finished one, and whoever adds later chunks to the totals would count that one's twice.
  bool is_whole() const { return finished_up_to_ <= complete_up_to(); }
  const OpTotal& total(const SiteInStep& place) const { return totals_.at(place.second).at(place.first); }
  /// Places whose totals changed since the last take_changed().
  std::vector<SiteInStep> take_changed();
  std::size_t changed() const { return changed_.size(); }

 private:
  /// Totals by call site. Ids are small, and looking them up is most of the work.
  class BySite {
   public:
    OpTotal& at(std::int64_t site);
    const OpTotal& at(std::int64_t site) const { return totals_[static_cast<std::size_t>(site)]; }
    /// False where it was marked already.
    bool mark(std::int64_t site);
    void unmark(std::int64_t site) { marked_[static_cast<std::size_t>(site)] = false; }

   private:
    std::vector<OpTotal> totals_;
    std::vector<bool> marked_;
  };

  struct OpenSegment {
    std::int64_t first_chunk = 0;
    std::int64_t last_chunk = 0;
    BySite totals;  ///< emptied, not freed, from segment to segment
    std::vector<std::int64_t> sites;
  };

  bool is_finished(std::int64_t segment) const { return segment < newest_segment_; }
  OpenSegment& open(std::int64_t segment);
  std::int32_t position_of(std::int64_t segment) const;
  OpTotal& total_of(std::int64_t segment, std::int64_t site);
  void close(std::int64_t segment, OpenSegment& open);
  void close_before(std::int64_t segment);

  std::map<std::int32_t, BySite> totals_;  ///< by position in the step
  std::vector<SiteInStep> changed_;
  std::map<std::int64_t, OpenSegment> open_;
  std::vector<OpenSegment> spare_;
  std::unordered_map<std::int64_t, std::int32_t> positions_;  ///< of segments; those at 0 are left out
  std::int64_t newest_segment_ = 0;
  std::int64_t last_chunk_ = 0;
  std::int64_t finished_up_to_ = 0;  ///< newest chunk of a finished segment
};

}  // namespace ampprof::store
