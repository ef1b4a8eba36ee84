// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ampprof::recording {

/// A command to a running recording (`ampprof ctl`).
struct ControlCommand {
  enum class Action {
    Start,   ///< resumes recording as before Stop
    Stop,    ///< stops recording steps
    Every,   ///< records every Nth step
    Deep,    ///< records the next N steps with everything that was requested at the start
    Policy,  ///< adds the rules of a policy to those in force
    Dump,    ///< writes the steps kept in memory (Options::ring)
  };

  Action action = Action::Dump;
  std::int64_t number = 0;  ///< N of Every and Deep
  std::string file{};       ///< FILE of Policy: absolute, since the recorder may have another working directory

  bool operator==(const ControlCommand&) const = default;
};

/// Parses "stop", "every 10" or "policy /path/p.amp". Returns nothing for other text. N is 1 to 1,000,000,000.
std::optional<ControlCommand> control_command_from(std::string_view text);
/// Returns the text that parses to this command.
std::string text_of(const ControlCommand& command);
/// Returns the forms of all commands, as "start|stop|every N|deep N|policy FILE|dump".
std::string control_commands();

}  // namespace ampprof::recording
