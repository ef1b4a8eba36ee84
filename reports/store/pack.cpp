// SPDX-License-Identifier: Apache-2.0
#include "reports/store/pack.h"

#include <string>

namespace ampprof {
namespace {

void put_tracks(Statement& row, const TrackPacker& tracks, const std::string& bytes) {
  if (tracks.empty()) {
    row.put_null(3);
  } else {
    row.put(tracks.start_ns()).put(tracks.end_ns()).put_blob(bytes);
  }
}

}  // namespace

const char* const kInsertPack =
    "INSERT INTO call_pack (run, id, segment, count, start_ns, end_ns, tracks, calls, casts, activity_count, "
    "activity_ns, "
    "activity_start_ns, activity_end_ns, activity_tracks, activities) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)";

void put_pack(Statement& row, std::int64_t run, std::int64_t segment, const Pack& pack) {
  const std::string tracks = pack.tracks.bytes();
  const std::string casts = pack_casts(pack.casts);
  const std::string activity_tracks = pack.activity_tracks.bytes();
  row.put(run).put(pack.id).put(segment).put(pack.calls.calls());
  put_tracks(row, pack.tracks, tracks);
  row.put_blob(pack.calls.bytes()).put_blob(casts).put(pack.activities.activities()).put(pack.activity_ns);
  put_tracks(row, pack.activity_tracks, activity_tracks);
  row.put_blob(pack.activities.bytes()).execute();
}

}  // namespace ampprof
