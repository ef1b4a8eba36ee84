// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "profiler/gpu/activity.h"
#include "profiler/gpu/activity_file.h"
#include "profiler/gpu/buffer_pool.h"
#include "profiler/gpu/clock.h"
#include "profiler/gpu/launched_by.h"
#include "reports/records/run.h"

namespace ampprof::profiler {

struct SourceOptions {
  std::function<void(const ActivityBuffer&)> sink;  ///< gets each buffer, on the thread that collects; throws nothing
  std::function<std::int64_t()> now_ns;             ///< the recorder's clock
  std::string library;                              ///< CUPTI's file; "" for the copy in the process or the loader's
  std::string dump;                                 ///< file for the records as they come; "" for none
  bool all_calls = false;  ///< record all calls of the runtime and the driver, not only those that launch something
  std::size_t buffer_bytes = std::size_t{512} << 10;
  std::size_t most_buffers = 512;  ///< beyond, CUPTI drops records

  /// Returns options with `library` from AMPPROF_CUPTI, `dump` from AMPPROF_CUPTI_DUMP, and `all_calls` where
  /// AMPPROF_CUPTI_CALLS is "all".
  static SourceOptions from_environment();
};

/// Records what the process does on GPUs, by CUPTI, which is loaded at run time.
///
/// There is one at a time. push() and pop() may be called by any thread, each pair by the same one; collect() and
/// close() by any one thread, but not out of CUPTI's callbacks or while holding a lock that the sink takes.
/// A refusal of CUPTI is a line in missing(), never an exception.
class Source {
 public:
  struct Opened {
    std::unique_ptr<Source> source;  ///< null where nothing is recorded; `missing` says why
    std::vector<Missing> missing;
  };
  static Opened open(SourceOptions options) noexcept;

  ~Source();
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  /// Gives to `by` what this thread launches until pop(). Pairs nest.
  void push(const LaunchedBy& by) noexcept;
  void pop() noexcept;

  /// A profiler of the program's own begins, which may take CUPTI: that serves one at a time. Where nothing comes any
  /// more, close() leaves CUPTI to it.
  void other_profiler_began() noexcept;

  /// Hands to the sink what came by itself: buffers that are full.
  void collect();
  /// Asks CUPTI for what is complete, and hands that over. Does not wait for the device.
  void flush();
  /// Hands over all that CUPTI still has, and takes nothing more. Wait for the device before. Returns what went wrong
  /// since open(), once. Leaves CUPTI switched on: where the process ends, to switch it off is work that nobody needs.
  std::vector<Missing> close();
  /// Closes it, switches CUPTI off, and lets another source open.
  void release();

  /// Returns whether CUPTI has delivered a record.
  bool has_delivered() const { return has_delivered_; }

 private:
  struct Cupti;

  Source(SourceOptions options, std::unique_ptr<Cupti> cupti);
  void take_from_cupti(std::uint32_t flag);
  CuptiClock read_clock() const;
  void hand_over(const BufferPool::Filled& filled, const CuptiClock& clock, std::uint64_t dropped);
  RawBuffer split(const BufferPool::Filled& filled) const;
  std::uint64_t dropped_records();

  SourceOptions options_;
  std::unique_ptr<Cupti> cupti_;
  BufferPool* pool_ = nullptr;  ///< never freed: CUPTI may come back to it
  std::unique_ptr<ActivityFile> dump_;
  std::atomic<bool> is_closed_{false};
  std::atomic<bool> has_delivered_{false};
  std::atomic<bool> may_be_taken_{false};  ///< another profiler began, and nothing came since
  std::atomic<std::int64_t> ids_too_large_{0};
  std::atomic<std::int64_t> failed_pushes_{0};
  std::int64_t failed_flushes_ = 0;
};

}  // namespace ampprof::profiler
