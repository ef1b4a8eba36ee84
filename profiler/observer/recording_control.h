// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "reports/recording/control_command.h"
#include "reports/recording/control_socket.h"

namespace ampprof::profiler {

struct SessionCore;

/// Carries out the commands of `ampprof ctl`, and a signal that asks for full recording of some steps. All functions
/// but open() and leave() run on the writer's thread.
class RecordingControl {
 public:
  /// Offset from SIGRTMIN of the signal that means: record the next kStepsOfSignal steps in full, and write the kept
  /// records.
  static constexpr int kSignal = 9;
  static constexpr std::int64_t kStepsOfSignal = 10;

  explicit RecordingControl(SessionCore& core) : core_(core) {}

  /// Starts to listen to `ampprof ctl`, and to the signal unless the program has a handler for it.
  void open();
  /// Carries out the commands that arrived since the last call.
  void look();
  void close() { socket_.close(); }
  /// Leaves the socket to the parent process. Called in a forked child.
  void leave() { socket_.leave(); }

 private:
  std::string answer_to(const std::string& line);
  /// Carries out a command. Returns a sentence on the change.
  std::string obey(const recording::ControlCommand& command);
  std::string change_casts(const std::string& file);

  SessionCore& core_;
  recording::ControlSocket socket_;
};

}  // namespace ampprof::profiler
