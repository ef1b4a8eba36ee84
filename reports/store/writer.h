// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>

#include "reports/records/batch.h"
#include "reports/records/probe.h"
#include "reports/records/run.h"
#include "reports/store/create.h"

namespace ampprof {
struct Confirmation;
}

namespace ampprof::store {

/// Writes into an existing report. Several processes may write at the same time: each call is one short transaction and
/// waits for the locks of other processes. If processes cannot share memory, a writer has exclusive access from
/// attach() until detach() or its end. Not for use by several threads at once. Throws ReportError.
class ReportWriter {
 public:
  explicit ReportWriter(const std::filesystem::path& path);
  ~ReportWriter();
  ReportWriter(const ReportWriter&) = delete;
  ReportWriter& operator=(const ReportWriter&) = delete;

  /// Adds a run and returns its id.
  std::int64_t begin_run(const RunStart& start);
  void attach(std::int64_t run, const RunAttach& attach);
  void append(std::int64_t run, const Batch& batch);
  /// Adds a batch like append(), but writes no chunks: op calls, casts and GPU activities only add to totals, whose
  /// number does not grow. Never append() to this run afterwards.
  void append_totals(std::int64_t run, const Batch& batch);
  /// If the report uses `most` bytes or more, drops details of the oldest steps of these runs (see
  /// drop_oldest_details()) until it uses an eighth less or no more can be dropped now. Returns the used bytes. If
  /// these are still `most` or more, returns the bytes that the report would use without any chunks of these runs.
  std::int64_t make_room(std::span<const std::int64_t> runs, std::int64_t most);
  void add_missing(std::int64_t run, const Missing& missing);
  void detach(std::int64_t run, const RunDetach& detach);
  /// `exit_code` is the process's own, or 128 + signal. `ended_ns` is the time of its end, in nanoseconds since 1970.
  /// Both are empty if unknown.
  void end_run(std::int64_t run, std::optional<int> exit_code, std::optional<std::int64_t> ended_ns = std::nullopt);
  /// Removes a run that no recorder attached to.
  void drop_run(std::int64_t run);
  /// Adds the timings of a finished run's matmuls.
  void add_probe(std::int64_t run, const ProbeRecords& records);
  /// Adds the search trial of a finished run.
  void add_trial(std::int64_t run, const Trial& trial);
  /// Adds the result of a run with a remedy for a finding. Replaces an earlier result of the same remedy.
  void add_confirmation(std::int64_t run, const Confirmation& confirmation);
  /// Returns whether a recorder attached to this run.
  bool attached(std::int64_t run);
  /// Returns whether the run holds any op call.
  bool has_calls(std::int64_t run);

  /// Folds the write-ahead log into the file, so that the report is one file again.
  void fold();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ampprof::store
