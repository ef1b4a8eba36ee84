// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "reports/records/batch.h"
#include "reports/records/nvtx_range.h"
#include "reports/records/run.h"

namespace ampprof::profiler {

/// Functions that `Ranges` calls on the thread that marks a range.
struct RangeNeeds {
  std::function<std::int64_t()> now_ns;  ///< the recorder's clock
  std::function<std::int32_t()> thread;  ///< returns OpCall::thread
};

struct RangeBounds {
  std::size_t most_ranges = std::size_t{1} << 18;  ///< limit of ranges that are open, or ended but not taken
  std::size_t most_names = std::size_t{1} << 16;   ///< limit of different names; further ones become kFurtherName
  std::size_t most_name_bytes = 512;               ///< longer names are cut, and end in "…"
};

inline constexpr const char* kFurtherName = "(further name)";
inline constexpr const char* kNoText = "(no text)";

struct RangeCounts {
  std::int64_t recorded = 0;    ///< ranges that have ended, taken or not
  std::int64_t dropped = 0;     ///< ranges that began while the limits were reached
  std::int64_t unnamed = 0;     ///< recorded or open ranges with the name kFurtherName
  std::int64_t still_open = 0;  ///< recorded ranges that were ended by finish()

  bool operator==(const RangeCounts&) const = default;
};

/// The ranges that ended since the last take(), in the order of their ends, and the names that are new since then.
struct TakenRanges {
  std::vector<InternedText> names;
  std::vector<NvtxRange> ranges;
};

/// Collects the ranges that a program marks.
///
/// Each range that begins while there is room is returned exactly once: after its end, or by finish(). Pushed ranges of
/// a thread nest within their domain, and domains are independent. `depth` counts the pushed ranges of all domains that
/// are open on the thread. A range of start() is assigned to the thread where it began, with depth 0, because it does
/// not nest: it may outlive the ranges around it. Thread-safe. Pure.
class Ranges {
 public:
  explicit Ranges(RangeNeeds needs, const RangeBounds& bounds = {});

  /// Returns the level of the new range within the domain on this thread, from 0; -1 if the limits are reached.
  int push(std::string_view domain, std::string_view text);
  /// Returns the level of the range that ended; -1 if none was open.
  int pop(std::string_view domain);
  /// Returns the id for end(); 0 if the limits are reached.
  std::uint64_t start(std::string_view domain, std::string_view text);
  void end(std::uint64_t id);  ///< ignores unknown ids
  void mark(std::string_view domain, std::string_view text);

  TakenRanges take();
  /// Returns the ranges that have ended, and all open ones, which end at `now` or at their beginning, whichever is
  /// later. Calls of other functions are ignored from then on.
  TakenRanges finish(std::int64_t now);

  RangeCounts counts() const;

 private:
  /// The open pushed ranges of one domain on one thread.
  struct Stack {
    std::string domain;
    std::vector<NvtxRange> open;    ///< end_ns is not set
    std::int64_t dropped = 0;  ///< dropped ranges on top of `open`; until they are popped, new ones are dropped too

    int level() const { return static_cast<int>(open.size()) + static_cast<int>(dropped) - 1; }
  };
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  using Stacks = std::vector<Stack>;

  bool has_room() const { return places_ < bounds_.most_ranges; }
  Stack* stack_of(std::int32_t thread, std::string_view domain);
  NvtxRange begin(std::int32_t thread, std::string_view domain, std::string_view text, std::int64_t now);
  void finish_at(NvtxRange range, std::int64_t now);
  std::int64_t name_of(std::string_view domain, std::string_view text);
  std::int64_t intern(std::string text);

  RangeNeeds needs_;
  RangeBounds bounds_;
  mutable std::mutex mutex_;
  RangeCounts counts_;
  bool is_finished_ = false;
  std::size_t places_ = 0;                            ///< number of ranges that count towards most_ranges
  std::unordered_map<std::int32_t, Stacks> threads_;  ///< threads with open ranges only
  std::map<std::uint64_t, NvtxRange> started_;
  std::uint64_t last_id_ = 0;
  std::vector<NvtxRange> ended_;
  std::unordered_map<std::string, std::int64_t, TextHash, std::equal_to<>> names_;
  std::vector<InternedText> new_names_;
};

/// Returns the rows of `missing` for a report; an empty list if nothing is missing.
std::vector<Missing> missing_of(const RangeCounts& counts);

}  // namespace ampprof::profiler
