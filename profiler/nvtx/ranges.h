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

/// Functions that ranges ask their caller for, and call on the thread that marks.
struct RangeNeeds {
  std::function<std::int64_t()> now_ns;  ///< the recorder's clock
  std::function<std::int32_t()> thread;  ///< OpCall::thread
};

struct RangeBounds {
  std::size_t most_ranges = std::size_t{1} << 18;  ///< open, or ended and not yet taken
  std::size_t most_names = std::size_t{1} << 16;   ///< different ones; beyond, ranges are called kFurtherName
  std::size_t most_name_bytes = 512;               ///< longer names are cut, and end in "…"
};

inline constexpr const char* kFurtherName = "(further name)";
inline constexpr const char* kNoText = "(no text)";

struct RangeCounts {
  std::int64_t recorded = 0;    ///< ended, and taken or waiting
  std::int64_t dropped = 0;     ///< began when there was no room
  std::int64_t unnamed = 0;     ///< of `recorded` and open ones: called kFurtherName
  std::int64_t still_open = 0;  ///< of `recorded`: finish() ended them

  bool operator==(const RangeCounts&) const = default;
};

/// The ranges that ended since the last time, in the order of their ends, and the texts that they are the first to
/// need.
struct TakenRanges {
  std::vector<InternedText> names;
  std::vector<NvtxRange> ranges;
};

/// Makes ranges of what a program marks.
///
/// Each range that begins while there is room comes out exactly once: when it ends, or from finish(). Those of a thread
/// nest within a domain; domains do not know each other. `depth` counts the pushed ranges of all domains that are open
/// on that thread. A started range has the thread where it began and depth 0, as it may end outside of whatever it
/// began in, and lies around nothing.
/// Any thread may call anything. Pure.
class Ranges {
 public:
  explicit Ranges(RangeNeeds needs, const RangeBounds& bounds = {});

  /// Returns the level within the domain on this thread, from 0; -1 where there is no room to remember it.
  int push(std::string_view domain, std::string_view text);
  /// Returns the level of what ended; -1 where nothing was open.
  int pop(std::string_view domain);
  /// Returns what end() needs; 0 where there was no room.
  std::uint64_t start(std::string_view domain, std::string_view text);
  void end(std::uint64_t id);  ///< passes over unknown ids
  void mark(std::string_view domain, std::string_view text);

  TakenRanges take();
  /// Returns that and all that is open, which ends at `now`, or where it began if that is later. What comes then is
  /// passed over.
  TakenRanges finish(std::int64_t now);

  RangeCounts counts() const;

 private:
  /// The open pushes of one domain on one thread.
  struct Stack {
    std::string domain;
    std::vector<NvtxRange> open;    ///< without ends
    std::int64_t dropped = 0;       ///< on top of those: as long as there are any, more are dropped

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
  std::size_t places_ = 0;                            ///< of most_ranges, taken
  std::unordered_map<std::int32_t, Stacks> threads_;  ///< with something open alone
  std::map<std::uint64_t, NvtxRange> started_;
  std::uint64_t last_id_ = 0;
  std::vector<NvtxRange> ended_;
  std::unordered_map<std::string, std::int64_t, TextHash, std::equal_to<>> names_;
  std::vector<InternedText> new_names_;
};

/// Returns what a report must say is not in it; nothing where all is well.
std::vector<Missing> missing_of(const RangeCounts& counts);

}  // namespace ampprof::profiler
