// SPDX-License-Identifier: Apache-2.0
#include "reports/recording/control_command.h"

#include <algorithm>

#include "reports/recording/rank_list.h"

namespace ampprof::recording {
namespace {

struct NamedAction {
  std::string_view word;
  ControlCommand::Action action;
  bool takes_number;
};

constexpr NamedAction kActions[]{
    {"start", ControlCommand::Action::Start, false}, {"stop", ControlCommand::Action::Stop, false},
    {"every", ControlCommand::Action::Every, true},  {"deep", ControlCommand::Action::Deep, true},
    {"dump", ControlCommand::Action::Dump, false},
};

}  // namespace

std::optional<ControlCommand> control_command_from(std::string_view text) {
  const std::size_t space = std::min(text.find(' '), text.size());
  const auto named = std::ranges::find(kActions, text.substr(0, space), &NamedAction::word);
  if (named == std::end(kActions) || named->takes_number != (space < text.size())) return std::nullopt;
  if (!named->takes_number) return ControlCommand{.action = named->action};
  const auto number = number_in(text.substr(space + 1));
  constexpr std::int64_t kMost = 1'000'000'000;
  if (number.value_or(0) < 1 || *number > kMost) return std::nullopt;
  return ControlCommand{.action = named->action, .number = *number};
}

std::string text_of(const ControlCommand& command) {
  const auto named = std::ranges::find(kActions, command.action, &NamedAction::action);
  return std::string(named->word) + (named->takes_number ? " " + std::to_string(command.number) : "");
}

std::string control_commands() {
  std::string forms;
  for (const NamedAction& named : kActions) {
    forms.append(forms.empty() ? "" : "|").append(named.word).append(named.takes_number ? " N" : "");
  }
  return forms;
}

}  // namespace ampprof::recording
