// SPDX-License-Identifier: Apache-2.0
#include "reports/store/chunk.h"

#include <string>

namespace ampprof::store {
namespace {

std::optional<ChunkTime> time_of(const TrackEncoder& tracks, const std::string& bytes) {
  if (tracks.empty()) return std::nullopt;
  return ChunkTime{tracks.start_ns(), tracks.end_ns(), bytes};
}

}  // namespace

void insert_chunk(Insert<kCallChunk>& insert, std::int64_t run, std::int64_t segment, const Chunk& chunk) {
  const std::string tracks = chunk.tracks.bytes();
  const std::string casts = encode_casts(chunk.casts);
  const std::string activity_tracks = chunk.activity_tracks.bytes();
  insert({.id = chunk.id,
          .segment = segment,
          .count = chunk.calls.calls(),
          .time = time_of(chunk.tracks, tracks),
          .calls = chunk.calls.bytes(),
          .casts = casts,
          .activity_count = chunk.activities.activities(),
          .activity_ns = chunk.activity_ns,
          .activity_time = time_of(chunk.activity_tracks, activity_tracks),
          .activities = chunk.activities.bytes()},
         run);
}

}  // namespace ampprof::store
