// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "reports/recording/control_command.h"
#include "reports/recording/control_socket.h"

namespace ampprof::profiler {

struct SessionCore;

/// Obeys `ampprof ctl`, and a signal that asks for deep steps. All on the writer's thread, but open() and leave().
class RecordingControl {
 public:
  /// SIGRTMIN and this many: "record the next kStepsOfSignal steps in full, and write what is kept".
  static constexpr int kSignal = 9;
  static constexpr std::int64_t kStepsOfSignal = 10;

  explicit RecordingControl(SessionCore& core) : core_(core) {}

  /// Listens from here on. Leaves the signal alone where the program handles it.
  void open();
  /// Does what was asked since the last call.
  void look();
  void close() { socket_.close(); }
  /// In a forked child.
  void leave() { socket_.leave(); }

 private:
  std::string answer_to(const std::string& line);
  /// Returns a sentence that says what changed.
  std::string obey(const recording::ControlCommand& command);
  std::string change_casts(const std::string& file);

  SessionCore& core_;
  recording::ControlSocket socket_;
};

}  // namespace ampprof::profiler
