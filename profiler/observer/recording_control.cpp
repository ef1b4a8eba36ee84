// SPDX-License-Identifier: Apache-2.0
#include "profiler/observer/recording_control.h"

#include <signal.h>

#include <algorithm>
#include <atomic>
#include <exception>

#include "profiler/observer/cast_change.h"
#include "profiler/observer/session_core.h"

namespace ampprof::profiler {
namespace {

using Action = recording::ControlCommand::Action;

std::atomic<bool> g_is_signalled{false};

void note_signal(int) { g_is_signalled.store(true, std::memory_order_relaxed); }

/// Installs a handler if the program has none, because an unhandled signal would end the program.
void handle_signal(int number) {
  struct sigaction known {};
  if (sigaction(number, nullptr, &known) != 0 || known.sa_handler != SIG_DFL) return;
  struct sigaction ours {};
  ours.sa_handler = note_signal;
  ours.sa_flags = SA_RESTART;
  sigemptyset(&ours.sa_mask);
  sigaction(number, &ours, nullptr);
}

std::string steps(std::int64_t count) { return std::to_string(count) + (count == 1 ? " step" : " steps"); }

}  // namespace

void RecordingControl::open() {
  handle_signal(SIGRTMIN + kSignal);
  try {
    socket_.open(core_.options.report);
  } catch (const recording::ControlError&) {
    // Another run of this report is listening, or the folder cannot hold sockets. `ampprof ctl` reports both.
  }
}

void RecordingControl::look() {
  socket_.answer([this](const std::string& line) { return answer_to(line); });
  if (!g_is_signalled.exchange(false, std::memory_order_relaxed)) return;
  obey({.action = Action::Deep, .number = kStepsOfSignal});
  obey({.action = Action::Dump});
}

std::string RecordingControl::answer_to(const std::string& line) {
  const auto command = recording::control_command_from(line);
  return command ? obey(*command) : "Unknown command; the commands are " + recording::control_commands() + ".";
}

std::string RecordingControl::obey(const recording::ControlCommand& command) {
  if (command.action == Action::Dump) {
    core_.recorder.write_kept();
    return core_.options.ring > 0 ? "Writes the steps that are kept in memory." : "All that was recorded is written.";
  }
  if (command.action == Action::Policy) return change_casts(command.file);
  const Locked state = core_.lock();
  const std::int64_t next = state->loops.first().steps.expected_step() + 1;
  const auto every = command.action == Action::Start  ? std::nullopt
                     : command.action == Action::Stop ? std::optional<std::int64_t>(0)
                                                      : std::optional(command.number);
  state->loops.for_each([&](TrainingLoop& loop) {
    if (command.action == Action::Deep) {
      loop.choice.record_deep(loop.steps.expected_step() + 1, command.number);
    } else {
      loop.choice.record_every(every);
    }
  });
  const std::string from = " from step " + std::to_string(next) + " on.";
  switch (command.action) {
    case Action::Deep:
      return "Records the next " + steps(command.number) + " in full," + from;
    case Action::Stop:
      return "Records nothing" + from;
    case Action::Start:
      return "Records the steps that the run's options choose," + from;
    default:
      return "Records one in " + steps(command.number) + from;
  }
}

std::string RecordingControl::change_casts(const std::string& file) {
  try {
    const std::string change = core_.casts->ask(file);
    return change + ", from step " + std::to_string(core_.lock()->loops.first().steps.expected_step() + 1) + " on.";
  } catch (const std::exception& error) {
    return std::string(recording::kRefused) + error.what();
  }
}

}  // namespace ampprof::profiler
