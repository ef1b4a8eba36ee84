// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "reports/records/records.h"

namespace ampprof::profiler {

/// An op call without values. Most of what a call costs its thread is writing its record to cold memory, so a call that
/// has none of the values takes a quarter of the room until the writer's thread has it.
struct PlainCall {
  explicit PlainCall(const OpCall& call);
  OpCall whole() const;

  std::int64_t segment;
  std::int64_t start_ns;
  std::int64_t duration_ns;
  std::int64_t cast_bytes;
  double scale;  ///< NaN for none
  std::int32_t call_site;
  std::int32_t signature;
  std::int32_t thread;
  DType dtype_in;
  DType dtype_out;
};

/// Carries records from the program's threads to the report: they fill a batch, one background thread writes it.
///
/// At most a quarter of a second lies between a record and its commit. A report that can no longer be written (disk
/// full, file removed) costs one warning on stderr; the program goes on and what was written stays. Thread-safe.
class Recorder {
 public:
  /// `run` is the run's id in `report`, which must exist. Throws ReportError when it cannot be opened.
  Recorder(const std::filesystem::path& report, std::int64_t run, const RunAttach& attach);
  /// Writes what is left. Use close() to say that the program ended cleanly.
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  /// Lets `fill` add to the batch that is written next. It runs under the recorder's lock: keep it short.
  template <typename Fill>
  void add(Fill&& fill) {
    const std::lock_guard lock(mutex_);
    if (!broken_) fill(batch_);
  }
  void add_call(const OpCall& call);
  /// Asked on the writer's thread before each write for what is still in progress (the current segment).
  void set_before_write(std::function<void(Batch&)> before_write);
  /// Replaces what was said at the start, once more is known (the level).
  void attach_again(const RunAttach& attach);

  /// Bytes of the report's files, as of the last write.
  std::int64_t bytes_written() const { return bytes_written_.load(std::memory_order_relaxed); }
  void close(const RunDetach& detach);

 private:
  struct Writer;

  void run();
  void write_batch();
  void stop();

  std::unique_ptr<Writer> writer_;
  std::mutex mutex_;
  std::condition_variable wake_;
  Batch batch_;
  std::vector<PlainCall> plain_calls_;
  Batch written_;  ///< the one before, of the writer's thread alone
  std::vector<PlainCall> written_plain_calls_;
  std::optional<RunAttach> attach_;  ///< to be written with the next batch
  std::function<void(Batch&)> before_write_;
  bool stopping_ = false;
  bool broken_ = false;
  std::atomic<std::int64_t> bytes_written_{0};
  std::thread thread_;
};

}  // namespace ampprof::profiler
