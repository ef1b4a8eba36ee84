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
  std::function<void(const ActivityBuffer&)> sink;  ///< gets each buffer on the collecting thread; must not throw
  std::function<std::int64_t()> now_ns;             ///< the recorder's clock
  std::string library;                              ///< path for load_cupti(); may be ""
  std::string dump;                                 ///< file for the raw records; "" for none
  bool all_calls = false;  ///< record all calls of runtime and driver, not only those that launch activities
  std::size_t buffer_bytes = std::size_t{512} << 10;
  std::size_t most_buffers = 512;  ///< if all buffers are full, CUPTI drops records

  /// Returns options with `library` from AMPPROF_CUPTI and `dump` from AMPPROF_CUPTI_DUMP. `all_calls` is true if
  /// AMPPROF_CUPTI_CALLS is "all".
  static SourceOptions from_environment();
};

/// Records the process's GPU activity with CUPTI, which is loaded at run time.
///
/// At most one exists at a time. Any thread may call push() and pop(), but both calls of a pair must be on one
/// thread. Any thread may call collect() and close(), but only one at a time, not from CUPTI's callbacks, and not with
/// a lock that the sink takes. A refusal by CUPTI is a row of `missing`, never an exception.
class Source {
 public:
  struct Opened {
    std::unique_ptr<Source> source;  ///< null if recording is impossible; `missing` says why
    std::vector<Missing> missing;
  };
  static Opened open(SourceOptions options) noexcept;

  ~Source();
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  /// Attributes this thread's launches to `by` until pop(). Pairs nest.
  void push(const LaunchedBy& by) noexcept;
  void pop() noexcept;

  /// Notes that the program's own profiler begins, which may take CUPTI, because CUPTI serves one client at a time. If
  /// no records come afterwards, close() leaves CUPTI to that profiler.
  void other_profiler_began() noexcept;

  /// Passes the full buffers to the sink.
  void collect();
  /// Asks CUPTI for its complete records, and passes them to the sink. Does not wait for the device.
  void flush();
  /// Passes all records that CUPTI still has to the sink, and stops recording. Synchronize the device first. Returns
  /// the failures since open(), once. Leaves CUPTI switched on, because switching it off is needless when the process
  /// ends.
  std::vector<Missing> close();
  /// Closes the source and switches CUPTI off, so that another source can open.
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
  BufferPool* pool_ = nullptr;  ///< never freed, since CUPTI may still use it
  std::unique_ptr<ActivityFile> dump_;
  std::atomic<bool> is_closed_{false};
  std::atomic<bool> has_delivered_{false};
  std::atomic<bool> may_be_taken_{false};  ///< another profiler has begun, and no records have come since
  std::atomic<std::int64_t> ids_too_large_{0};
  std::atomic<std::int64_t> failed_pushes_{0};
  std::int64_t failed_flushes_ = 0;
};

}  // namespace ampprof::profiler
