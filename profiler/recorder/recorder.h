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

/// Writes records from the program's threads to the report, on one background thread.
///
/// A call without measured values goes into its thread's own queue, without a lock. All other records fill a batch.
/// Records are committed at least every `interval`. If records come faster than they can be written, the values of
/// calls are dropped first, and only much later calls themselves; the report says how many. If the report can no longer
/// be written (disk full, file removed), one warning goes to stderr, the program continues, and the written part stays.
/// Thread-safe.
///
/// If several recipes are predicted for one program, each is a run of the report. Runs differ in a few lists only; all
/// other lists are added to the first run and written for every run.
class Recorder {
 public:
  static constexpr std::chrono::milliseconds kInterval{250};

  /// `run`: the run's id in `report`, which must exist; further runs have the next ids. Before open(), records stay in
  /// memory, and the report is not touched. `ring`: the number of steps whose details stay in memory until an event
  /// makes the recorder write them (StepRing); 0 to write them at once.
  Recorder(const std::filesystem::path& report, std::int64_t run, const RunAttach& attach,
           std::chrono::milliseconds interval = kInterval,
           std::int64_t max_bytes = std::numeric_limits<std::int64_t>::max(), std::size_t runs = 1,
           std::int64_t ring = 0);
  /// Writes the remaining records. Does not record the end of the run, unlike close().
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  /// Opens the report and starts the writer's thread. Call it once. Throws ReportError if the report cannot be opened.
  void open();

  /// Calls `fill` to add to the next batch. `fill` runs under the recorder's lock, so keep it short.
  template <typename Fill>
  void add(Fill&& fill) {
    const std::lock_guard lock(mutex_);
    if (!broken_) fill(batch_);
  }
  /// Calls `fill` to add to the lists that differ between runs: calls, impacts, gradient impacts, matmuls of a recipe,
  /// decisions, losses.
  template <typename Fill>
  void add(std::size_t run, Fill&& fill) {
    const std::lock_guard lock(mutex_);
    if (!broken_) fill(run == 0 ? batch_ : further_[run - 1]);
  }
  std::size_t runs() const { return further_.size() + 1; }
  /// Adds a call. `further`: the call's rows in the runs after the first; empty if all runs have the same row.
  void add_call(const OpCall& call, const std::vector<OpCall>& further = {});
  /// Limit of waiting calls with values, each of which takes about half a kilobyte.
  static constexpr std::size_t kMostCallsWithValues = std::size_t{1} << 17;
  /// Sets the segments of held calls. Records of these calls wait for them.
  void place(const std::vector<HeldCalls>& calls);
  /// Sets the function that runs on the writer's thread before each write, to add the current segment.
  void set_before_write(std::function<void()> before_write);
  /// Writes now, on the writer's thread, unless the last write was less than a fifth of the interval ago.
  void write_soon();
  /// Writes the kept records of the ring with the next batch, then those of the current and the next step.
  void write_kept() { is_kept_wanted_.store(true, std::memory_order_relaxed); }
  /// Replaces the run's data from the constructor when more is known, such as the opt level.
  void attach_again(const RunAttach& attach);

  /// Returns whether the report has reached seven eighths of its largest size although old details were dropped. From
  /// then on, op calls and similar records are written as totals, which do not grow. The last eighth is for steps and
  /// losses.
  bool is_full() const { return is_full_.load(std::memory_order_relaxed); }
  void close(const RunDetach& detach);
  /// Frees the memory of batches and queues. Call it after close().
  void release();
  /// Returns why the report could no longer be written, or "". Call it after close().
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

  const std::uint64_t number_;  ///< distinguishes the recorders of a process
  const std::filesystem::path path_;
  const std::int64_t run_;
  const RunAttach first_attach_;
  std::unique_ptr<Writer> writer_;  ///< null until open()
  std::mutex mutex_;
  std::condition_variable wake_;
  Batch batch_;
  std::vector<Batch> further_;          ///< lists that differ between runs, for each run after the first
  Batch written_;                       ///< the batch being written; for the writer's thread alone
  std::vector<Batch> written_further_;  ///< the part of `further_` being written; for the writer's thread alone
  std::vector<PlainCall> plain_calls_;  ///< for the writer's thread alone
  std::vector<HeldCalls> placed_;       ///< held calls whose segment was set since the last write
  std::vector<HeldRecords> held_;       ///< one per run; for the writer's thread alone
  std::vector<StepRing> rings_;         ///< one per run; for the writer's thread alone; empty without --ring
  std::atomic<bool> is_kept_wanted_{false};
  std::vector<std::shared_ptr<CallQueue>> queues_;          ///< one for each thread; the thread shares ownership
  std::vector<std::shared_ptr<CallQueue>> lasting_queues_;  ///< queues whose threads cannot own them
  std::atomic<std::int64_t> dropped_values_{0};             ///< number of calls whose values were left out
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
