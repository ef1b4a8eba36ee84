// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ampprof::recording {

/// Says what a running recording is asked to do (`ampprof ctl`).
struct ControlCommand {
  enum class Action {
    Start,   ///< records steps again, as it did before Stop
    Stop,    ///< records no further step
    Every,   ///< records every Nth step
    Deep,    ///< records the next N steps, with all that was asked for at the start
    Policy,  ///< puts the rules of a policy in force, on top of those that are
    Dump,    ///< writes what is kept in memory
  };

  Action action = Action::Dump;
  std::int64_t number = 0;  ///< N
  std::string file{};       ///< FILE; an absolute path where another process is asked

  bool operator==(const ControlCommand&) const = default;
};

/// Reads "stop", "every 10" or "policy /path/p.amp". Returns nothing for any other text; N is 1 to 1,000,000,000.
std::optional<ControlCommand> control_command_from(std::string_view text);
/// Returns the text that reads back as the command.
std::string text_of(const ControlCommand& command);
/// Returns the forms of all commands, as "start|stop|every N|deep N|policy FILE|dump".
std::string control_commands();

}  // namespace ampprof::recording
