// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "reports/records/activity_codec.h"
#include "reports/records/call_codec.h"
#include "reports/records/gpu_activity.h"
#include "reports/records/op_call.h"
#include "reports/records/saturating_add.h"
#include "reports/records/tracks.h"
#include "reports/store/tables.h"

namespace ampprof::store {

/// Collects the values of a row of call_chunk.
struct Chunk {
  std::int64_t id = 0;
  CallEncoder calls;
  TrackEncoder tracks;
  std::vector<const CastRecord*> casts;
  ActivityEncoder activities;
  TrackEncoder activity_tracks;
  std::int64_t activity_ns = 0;

  void add(const OpCall& call) {
    calls.add(call);
    tracks.add(call);
  }
  void add(const CastRecord& cast) { casts.push_back(&cast); }
  void add(const GpuActivity& activity) {
    activities.add(activity);
    activity_tracks.add(activity);
    saturating_add(activity_ns, std::max<std::int64_t>(activity.duration_ns, 0));
  }
};

void insert_chunk(Insert<kCallChunk>& insert, std::int64_t run, std::int64_t segment, const Chunk& chunk);

}  // namespace ampprof::store
