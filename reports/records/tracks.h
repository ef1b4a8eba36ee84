// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/records/gpu_activity.h"
#include "reports/records/op_call.h"
#include "reports/records/time_span.h"

namespace ampprof {

/// Class that sets an op call's colour in a timeline. Numbers are stored in report files: never renumber, append only.
enum class PrecisionClass : std::uint8_t {
  Full = 0,       ///< FP32 or wider
  Reduced = 1,    ///< has inputs or outputs of 16 bits or fewer
  Cast = 2,       ///< AMP inserted casts that wrote something
  NonFinite = 3,  ///< outputs an unexpected NaN or inf
  Other = 4,      ///< no floating type: integers, masks
};
inline constexpr std::size_t kPrecisionClasses = 5;

/// Returns the first of NonFinite, Cast, Reduced, Full that applies.
PrecisionClass precision_class_of(const OpCall& call);

/// Nanoseconds of each PrecisionClass.
using ClassTimes = std::array<std::int64_t, kPrecisionClasses>;

inline constexpr std::size_t kTrackBins = 32;

/// Identifies a track: a thread of the program (its number) or a stream of a GPU (stream_track()).
using TrackId = std::int64_t;

constexpr TrackId stream_track(std::int32_t device, std::int32_t stream) {
  return static_cast<TrackId>(static_cast<std::uint32_t>(device)) << 32 | static_cast<std::uint32_t>(stream);
}
constexpr std::int32_t device_of(TrackId track) { return static_cast<std::int32_t>(track >> 32); }
constexpr std::int32_t stream_of(TrackId track) { return static_cast<std::int32_t>(track); }

/// Summary of the op calls of one thread in one chunk: the time of each class in each of kTrackBins equal parts of the
/// chunk's time. Part i begins i * track_bin_ns() after the chunk's first start. The summary of a GPU stream has the
/// same form, with a GpuActivityKind as class.
struct Track {
  TrackId id = 0;
  std::int64_t calls = 0;
  std::int64_t bytes = 0;  ///< bytes written by casts of these calls, or by memcpys and memsets
  std::array<ClassTimes, kTrackBins> bins{};

  bool operator==(const Track&) const = default;
};

/// Returns the length of each part of a chunk's time. The parts together cover at least that time.
constexpr std::uint64_t track_bin_ns(std::int64_t start_ns, std::int64_t end_ns) {
  return (static_cast<std::uint64_t>(end_ns) - static_cast<std::uint64_t>(start_ns)) / kTrackBins + 1;
}

/// Encodes the tracks of a chunk, in at most a twentieth of the chunk's size.
///
/// Each track, by ascending id, has id, calls and bytes as LEB128 numbers. Then, for each part, a byte with a bit for
/// each class that has time in the part, and these times as LEB128 numbers, the lowest class first.
class TrackEncoder {
 public:
  void add(const OpCall& call);
  /// Adds an activity. Call it on an encoder without op calls.
  void add(const GpuActivity& activity);

  bool empty() const { return calls_.empty(); }
  std::int64_t start_ns() const { return start_ns_; }
  std::int64_t end_ns() const { return end_ns_; }
  /// Returns the encoded tracks of all records added so far.
  std::string bytes() const;

 private:
  struct Call {
    TimeSpan span;
    std::size_t track;
    std::size_t kind;  ///< index in ClassTimes
  };

  void add(TrackId track, const TimeSpan& span, std::int64_t bytes, std::size_t kind);
  Track& track_of(TrackId id);

  std::vector<Call> calls_;
  std::vector<Track> tracks_;  ///< their bins stay empty until bytes()
  std::size_t last_track_ = 0;
  std::int64_t start_ns_ = 0;
  std::int64_t end_ns_ = 0;
};

/// Calls `show` for each track in the bytes of a TrackEncoder. Returns false, maybe after some tracks, for bytes that a
/// TrackEncoder cannot have written.
[[nodiscard]] bool each_track(std::string_view bytes, const std::function<void(const Track&)>& show);

/// Adds `times` to `to`, saturating: the times of a damaged report may be any number.
void add_times(ClassTimes& to, const ClassTimes& times);

}  // namespace ampprof
