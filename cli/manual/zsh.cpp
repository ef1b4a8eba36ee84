// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/manual/description.h"

namespace ampprof::cli {
namespace {

constexpr const char* kZshMachinery = R"zsh(
_ampprof_program() {
  if compset -P 'sample:'; then
    compadd -- ${(f)"$(ampprof samples --format csv 2>/dev/null | tail -n +2 | cut -d, -f1)"}
  else
    _alternative 'files:file:_files' 'commands:command:_command_names -e' 'samples:sample:(sample:)'
  fi
}

_ampprof "$@"
)zsh";

// Escapes text in single quotes, where brackets and colons are special to _arguments.
std::string escaped(const std::string& text, const char* special) {
  std::string result;
  for (const char c : text) {
    if (c == '\'') {
      result += "'\\''";
      continue;
    }
    if (std::string_view(special).find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}

std::string action_of(const OptionDescription& option) {
  const std::string words = fmt::format("{}", fmt::join(option.choices, " "));
  if (!option.choices.empty()) return option.is_list ? "_values -s , value " + words : "(" + words + ")";
  if (option.value == "REPORT") return "_files -g \"*.ampprof\"";
  return option.value == "FILE" ? "_files" : " ";
}

std::string spec_of(const OptionDescription& option) {
  const std::string about = escaped(option.about, "[]:\\");
  const std::string value =
      option.value.empty() ? "" : fmt::format(":{}:{}", escaped(option.value, ":"), escaped(action_of(option), ""));
  std::string specs;
  for (const std::string& name : option.names) {
    const char* const joint = option.value.empty() ? "" : name.starts_with("--") ? "=" : "+";
    specs += fmt::format(" \\\n        '*{}{}[{}]{}'", name, joint, about, value);
  }
  return specs;
}

std::string case_of(const VerbDescription& verb) {
  std::string specs;
  for (const OptionDescription& option : verb.options) specs += spec_of(option);
  for (const OptionDescription& option : verb.positionals) {
    specs += fmt::format(" \\\n        '{}:{}:{}'", option.is_repeated ? "*" : "", escaped(option.value, ":"),
                         escaped(action_of(option), ""));
  }
  if (verb.runs_program) specs += " \\\n        '1:program:_ampprof_program' \\\n        '*::arguments: _normal'";
  return fmt::format("    {})\n      _arguments -S '--help[print the options]'{}\n      ;;\n", verb.name, specs);
}

}  // namespace

std::string zsh_completion(const std::vector<VerbDescription>& verbs) {
  std::string names;
  std::string cases;
  for (const VerbDescription& verb : verbs) {
    names += fmt::format("      '{}:{}'\n", verb.name, escaped(verb.about, ":\\"));
    cases += case_of(verb);
  }
  return "#compdef ampprof\n# Made by `ampprof completion zsh`. Save it as _ampprof in a folder of "
         "$fpath.\n\n_ampprof() {\n  local -a verbs\n  if (( CURRENT == 2 )); then\n    verbs=(\n" +
         names +
         "    )\n    _describe verb verbs\n    return\n  fi\n  local verb=$words[2]\n  shift words\n  (( CURRENT-- ))\n"
         "  case $verb in\n" +
         cases + "  esac\n}\n" + kZshMachinery;
}

}  // namespace ampprof::cli
