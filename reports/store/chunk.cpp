// SPDX-License-Identifier: Apache-2.0
#include "reports/store/chunk.h"

#include <string>

namespace ampprof {
namespace {

void put_tracks(Statement& row, const TrackEncoder& tracks, const std::string& bytes) {
  if (tracks.empty()) {
    row.put_null(3);
  } else {
    row.put(tracks.start_ns()).put(tracks.end_ns()).put_blob(bytes);
  }
}

}  // namespace

const char* const kInsertChunk =
    "INSERT INTO call_chunk (run, id, segment, count, start_ns, end_ns, tracks, calls, casts, activity_count, "
    "activity_ns, "
    "activity_start_ns, activity_end_ns, activity_tracks, activities) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)";

void put_chunk(Statement& row, std::int64_t run, std::int64_t segment, const Chunk& chunk) {
  const std::string tracks = chunk.tracks.bytes();
  const std::string casts = encode_casts(chunk.casts);
  const std::string activity_tracks = chunk.activity_tracks.bytes();
  row.put(run).put(chunk.id).put(segment).put(chunk.calls.calls());
  put_tracks(row, chunk.tracks, tracks);
  row.put_blob(chunk.calls.bytes()).put_blob(casts).put(chunk.activities.activities()).put(chunk.activity_ns);
  put_tracks(row, chunk.activity_tracks, activity_tracks);
  row.put_blob(chunk.activities.bytes()).execute();
}

}  // namespace ampprof
