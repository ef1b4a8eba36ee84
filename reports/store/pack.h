// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "reports/records/activity_pack.h"
#include "reports/records/call_pack.h"
#include "reports/records/records.h"
#include "reports/records/saturating_add.h"
#include "reports/records/tracks.h"
#include "reports/store/sqlite.h"

namespace ampprof {

/// What a row of call_pack will hold.
struct Pack {
  std::int64_t id = 0;
  CallPacker calls;
  TrackPacker tracks;
  std::vector<const CastRecord*> casts;
  ActivityPacker activities;
  TrackPacker activity_tracks;
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

/// The statement that put_pack() fills in and executes.
extern const char* const kInsertPack;
void put_pack(Statement& row, std::int64_t run, std::int64_t segment, const Pack& pack);

}  // namespace ampprof
