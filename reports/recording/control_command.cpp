// SPDX-License-Identifier: Apache-2.0
#include "reports/recording/control_command.h"

#include <algorithm>

#include "reports/recording/rank_list.h"

namespace ampprof::recording {
namespace {

struct NamedAction {
  std::string_view word;
  ControlCommand::Action action;
  std::string_view takes;  ///< argument of the command: "", "N" or "FILE"
};

constexpr NamedAction kActions[]{
    {"start", ControlCommand::Action::Start, ""},       {"stop", ControlCommand::Action::Stop, ""},
    {"every", ControlCommand::Action::Every, "N"},      {"deep", ControlCommand::Action::Deep, "N"},
    {"policy", ControlCommand::Action::Policy, "FILE"}, {"dump", ControlCommand::Action::Dump, ""},
};

}  // namespace

std::optional<ControlCommand> control_command_from(std::string_view text) {
  const std::size_t space = std::min(text.find(' '), text.size());
  const auto named = std::ranges::find(kActions, text.substr(0, space), &NamedAction::word);
  if (named == std::end(kActions) || named->takes.empty() != (space == text.size())) return std::nullopt;
  if (named->takes.empty()) return ControlCommand{.action = named->action};
  const std::string_view word = text.substr(space + 1);
  if (named->takes == "FILE") {
    const bool is_path = !word.empty() && word.find('\n') == std::string_view::npos;
    return is_path ? std::optional(ControlCommand{.action = named->action, .file = std::string(word)}) : std::nullopt;
  }
  const auto number = number_in(word);
  constexpr std::int64_t kMost = 1'000'000'000;
  if (number.value_or(0) < 1 || *number > kMost) return std::nullopt;
  return ControlCommand{.action = named->action, .number = *number};
}

std::string text_of(const ControlCommand& command) {
  const auto named = std::ranges::find(kActions, command.action, &NamedAction::action);
  const std::string word(named->word);
  if (named->takes.empty()) return word;
  return word + " " + (named->takes == "FILE" ? command.file : std::to_string(command.number));
}

std::string control_commands() {
  std::string forms;
  for (const NamedAction& named : kActions) {
    forms.append(forms.empty() ? "" : "|")
        .append(named.word)
        .append(named.takes.empty() ? "" : " ")
        .append(named.takes);
  }
  return forms;
}

}  // namespace ampprof::recording
