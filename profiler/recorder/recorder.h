// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "profiler/recorder/held_records.h"
#include "reports/records/batch.h"

namespace ampprof::profiler {

class CallQueue;
class StepRing;

/// Carries records from the program's threads to the report: one background thread writes them.
///
/// A call without values goes into its thread's own queue, without a lock; everything else fills a batch. At most
/// `interval` lies between a record and its commit. Where records come faster than they can be written, first
/// values of calls are dropped, then, much later, calls, and the report says how many. A report that can no longer be
/// written (disk full, file removed) costs one warning on stderr; the program goes on and what was written stays.
/// Thread-safe.
///
/// What several recipes would do to one program are runs of the report that share all but a few lists of their rows:
/// each is a run, and the first has what all share.
class Recorder {
 public:
  static constexpr std::chrono::milliseconds kInterval{250};

  /// `run` is the run's id in `report`, which must exist; those of further runs have the ids behind it. Until open()
  /// records are kept in memory, and the report is left alone. `ring`: of how many steps the details stay in memory
  /// until something happens (StepRing); 0: they are written as they come.
  Recorder(const std::filesystem::path& report, std::int64_t run, const RunAttach& attach,
           std::chrono::milliseconds interval = kInterval,
           std::int64_t max_bytes = std::numeric_limits<std::int64_t>::max(), std::size_t runs = 1,
           std::int64_t ring = 0);
  /// Writes what is left. Use close() to say that the program ended cleanly.
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  /// Once. Throws ReportError where the report cannot be opened.
  void open();

  /// Lets `fill` add to the batch that is written next. It runs under the recorder's lock: keep it short.
  template <typename Fill>
  void add(Fill&& fill) {
    const std::lock_guard lock(mutex_);
    if (!broken_) fill(batch_);
  }
  /// Lets `fill` add to the lists of a run's own: calls, impacts, gradient impacts, matmuls of a recipe, losses.
  template <typename Fill>
  void add(std::size_t run, Fill&& fill) {
    const std::lock_guard lock(mutex_);
    if (!broken_) fill(run == 0 ? batch_ : further_[run - 1]);
  }
  std::size_t runs() const { return further_.size() + 1; }
  /// `further`: the same call as further runs have it; none where it is the same in all.
  void add_call(const OpCall& call, const std::vector<OpCall>& further = {});
  /// Calls with values that may wait; each has about half a kilobyte.
  static constexpr std::size_t kMostCallsWithValues = std::size_t{1} << 17;
  /// Says what numbers that stand for segments (HeldCalls) stood for: records wait for that.
  void place(const std::vector<HeldCalls>& calls);
  /// Sets what is called on the writer's thread before each write, to add what is in progress (the current segment).
  void set_before_write(std::function<void()> before_write);
  /// Writes now, on the writer's thread, where the last write was more than a fifth of the interval ago.
  void write_soon();
  /// Writes what `ring` keeps with the next batch, and what comes of the step in progress and of the next.
  void write_kept() { is_kept_wanted_.store(true, std::memory_order_relaxed); }
  /// Replaces what was said at the start, once more is known (the level).
  void attach_again(const RunAttach& attach);

  /// Returns whether the report has reached seven eighths of its largest size, though the older details were dropped
  /// that could be: from here on op calls and the like are written as totals, which do not grow. What is left is for
  /// steps and losses.
  bool is_full() const { return is_full_.load(std::memory_order_relaxed); }
  void close(const RunDetach& detach);
  /// Returns the memory that it wrote from, after close().
  void release();
  /// Why the report could no longer be written; "" where it could. After close().
  const std::string& failure() const { return failure_; }

 private:
  struct Writer;

  void run();
  void write_batch();
  void append(std::int64_t run, const Batch& batch);
  void take_queues();
  void take_into_rings(bool is_last);
  std::optional<RunAttach> take_batch();
  void report_drops();
  void look_at_size();
  void note_left_out();
  void stop();
  template <typename Work>
  void each_run(Work work) const {
    for (std::size_t run = 0; run < runs(); ++run) work(run_ + static_cast<std::int64_t>(run));
  }
  CallQueue& queue_of_this_thread();
  void add_plain(const OpCall& call);

  const std::uint64_t number_;  ///< in this process
  const std::filesystem::path path_;
  const std::int64_t run_;
  const RunAttach first_attach_;
  std::unique_ptr<Writer> writer_;  ///< null until open()
  std::mutex mutex_;
  std::condition_variable wake_;
  Batch batch_;
  std::vector<Batch> further_;          ///< the lists of further runs
  Batch written_;                       ///< the one before, of the writer's thread alone
  std::vector<Batch> written_further_;  ///< likewise
  std::vector<PlainCall> plain_calls_;  ///< of the writer's thread alone
  std::vector<HeldCalls> placed_;       ///< since the last write
  std::vector<HeldRecords> held_;       ///< of each run; of the writer's thread alone
  std::vector<StepRing> rings_;         ///< likewise; none without a ring
  std::atomic<bool> is_kept_wanted_{false};
  std::vector<std::shared_ptr<CallQueue>> queues_;          ///< shared with their threads
  std::vector<std::shared_ptr<CallQueue>> lasting_queues_;  ///< those of them that no thread holds
  std::atomic<std::int64_t> dropped_values_{0};             ///< calls whose values were left out
  std::atomic<std::int64_t> dropped_calls_{0};
  std::optional<RunAttach> attach_;  ///< to be written with the next batch
  std::function<void()> before_write_;
  std::chrono::milliseconds interval_;
  const std::int64_t max_bytes_;
  std::optional<std::chrono::steady_clock::time_point> last_write_;
  bool is_wanted_soon_ = false;
  bool stopping_ = false;
  std::atomic<bool> broken_{false};
  std::string failure_;
  std::atomic<bool> is_full_{false};
  std::thread thread_;
};

}  // namespace ampprof::profiler
