// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

#include "profiler/observer/backward_passes.h"
#include "profiler/observer/engine_events.h"
#include "profiler/observer/module_events.h"
#include "profiler/observer/op_calls.h"
#include "profiler/observer/recording_control.h"
#include "profiler/observer/segments.h"
#include "profiler/observer/session_core.h"
#include "profiler/observer/stage_services.h"
#include "profiler/observer/step_events.h"

namespace ampprof::profiler {

/// One recording: makes and connects its parts, begins and ends them. Each source of events calls the part that handles
/// them.
///
/// A process has at most one, made at the first op call. current() is null before start(), after the end, and in forked
/// children. A session is never deleted, since threads of the program may still be inside a call. Thread-safe.
class Session {
 public:
  static Session* current() { return current_.load(std::memory_order_acquire); }
  /// Starts to record, in memory only until write_from_here_on(). `resident_at_start`: resident bytes after LibTorch
  /// was loaded.
  static void start(const recording::Options& options, std::int64_t resident_at_start);
  /// Opens the report. Throws ReportError if that fails.
  void write_from_here_on() {
    control_.open();  // before the writer's thread starts, which uses it
    core_.recorder.open();
  }
  /// Ends a recording that was never written.
  static void drop();
  /// Stops observing in a forked child, which must not touch the parent's recorder.
  static void forget();
  /// Reads statistics from devices when the program begins to exit. finish() is too late for that, since it runs after
  /// the destructors of LibTorch's libraries.
  static void flush_devices();
  /// Writes the rest of the report when the program ends.
  static void finish();
  /// Frees the large memory of a finished session in a process that continues.
  void release();

  OpCalls& calls() { return calls_; }
  ModuleEvents& modules() { return modules_; }
  StepEvents& steps() { return steps_; }
  BackwardPasses& passes() { return passes_; }
  EngineEvents& engine() { return engine_; }
  ParameterFacts& parameters() { return services_; }
  SessionCore& core() { return core_; }

 private:
  Session(const recording::Options& options, std::int64_t resident_at_start);

  static Session* end();
  void collect();
  /// Makes a call site for GPU work outside of op calls, and returns its id.
  std::int64_t make_site(const std::string& what, std::int32_t number);
  void bring_from_devices();
  void see_gpu_memory();
  std::int64_t peak_bytes() const;
  void settle();
  void write_drifts();
  void finish_gpus(RunDetach& detach);
  void describe_again(const std::vector<DeviceClocks>& gpus);
  void write_native_lines();

  static std::atomic<Session*> current_;

  const std::int64_t resident_at_start_;
  SessionCore core_;
  SourcePlaces sources_;
  BackwardPasses passes_{core_, sources_};
  Segments segments_{core_, passes_};
  OpCalls calls_{core_, segments_, passes_, sources_};
  ModuleEvents modules_{core_, segments_};
  StepEvents steps_{core_, segments_};
  EngineEvents engine_{core_, segments_};
  StageServices services_{core_};
  RecordingControl control_{core_};
};

}  // namespace ampprof::profiler
