// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/manual/description.h"

namespace ampprof::cli {
namespace {

// Completes the current word. The generated functions _ampprof_flags, _ampprof_value and _ampprof_positional precede
// it.
constexpr const char* kBashMachinery = R"bash(
_ampprof_report() {
  local word
  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -X '!*.ampprof' -- "$1"; compgen -d -S / -- "$1")
}

_ampprof_file() {
  local word
  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$1")
}

# A program of the user, or a sample: readline takes the colon for the end of a word.
_ampprof_program() {
  local line=${COMP_LINE:0:COMP_POINT} names
  local typed=${line##* }
  if [[ $typed == sample:* ]]; then
    names=$("${COMP_WORDS[0]}" samples --format csv 2>/dev/null | tail -n +2 | cut -d, -f1)
    mapfile -t COMPREPLY < <(compgen -W "$names" -- "${typed#sample:}")
    [[ $COMP_WORDBREAKS == *:* ]] || COMPREPLY=("${COMPREPLY[@]/#/sample:}")
    return
  fi
  _ampprof_file "$1"
  mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -W 'sample:' -- "$1"; compgen -c -- "$1")
}

_ampprof_complete() {
  local kind=$1 word=$2 head=
  case $kind in
    :report) _ampprof_report "$word" ;;
    :file) _ampprof_file "$word" ;;
    :program) _ampprof_program "$word" ;;
    :none) ;;
    :list\ *)
      [[ $word == *,* ]] && head=${word%,*},
      mapfile -t COMPREPLY < <(compgen -P "$head" -W "${kind#:list }" -- "${word##*,}")
      ;;
    *) mapfile -t COMPREPLY < <(compgen -W "$kind" -- "$word") ;;
  esac
}

_ampprof() {
  COMPREPLY=()
  local word=${COMP_WORDS[COMP_CWORD]} verb=${COMP_WORDS[1]} before kind i positional=1
  if ((COMP_CWORD == 1)); then
    _ampprof_complete "$(_ampprof_verbs) --help --version" "$word"
    return
  fi
  before=${COMP_WORDS[COMP_CWORD-1]}
  if [[ $word == '=' ]]; then word=; elif [[ $before == '=' ]]; then before=${COMP_WORDS[COMP_CWORD-2]}; fi
  for ((i = 2; i < COMP_CWORD; ++i)); do
    if [[ ${COMP_WORDS[i]} == '=' ]]; then continue; fi
    if [[ ${COMP_WORDS[i]} == ':' ]]; then ((--positional)); continue; fi  # the next word goes on with the last
    if [[ -n $(_ampprof_value "$verb" "${COMP_WORDS[i]}") ]]; then
      [[ ${COMP_WORDS[i+1]} == '=' ]] && ((++i))
      ((++i))
    elif [[ ${COMP_WORDS[i]} != -* ]]; then
      ((++positional))
    fi
  done
  kind=$(_ampprof_value "$verb" "$before")
  [[ -z $kind && $word == -* ]] && kind=$(_ampprof_flags "$verb")
  [[ -z $kind ]] && kind=$(_ampprof_positional "$verb" "$positional")
  _ampprof_complete "${kind:-:none}" "$word"
}

complete -o filenames -F _ampprof ampprof
)bash";

std::string joined(const std::vector<std::string>& words, const char* separator = " ") {
  return fmt::format("{}", fmt::join(words, separator));
}

// Returns the argument of _ampprof_complete for an option's value: choices, ":report", ":file" or ":none".
std::string kind_of(const OptionDescription& option) {
  if (!option.choices.empty()) return (option.is_list ? ":list " : "") + joined(option.choices);
  if (option.value == "REPORT") return ":report";
  return option.value == "FILE" ? ":file" : ":none";
}

std::string flags_of(const VerbDescription& verb) {
  std::string flags;
  for (const OptionDescription& option : verb.options) flags += joined(option.names) + " ";
  return flags + "--help";
}

std::string values_of(const VerbDescription& verb) {
  std::string lines;
  for (const OptionDescription& option : verb.options) {
    if (option.value.empty()) continue;
    std::vector<std::string> patterns;
    for (const std::string& name : option.names) patterns.push_back("'" + verb.name + ' ' + name + "'");
    lines += fmt::format("    {}) echo '{}' ;;\n", joined(patterns, " | "), kind_of(option));
  }
  return lines;
}

std::string positionals_of(const VerbDescription& verb) {
  std::string lines;
  int position = 0;
  for (const OptionDescription& option : verb.positionals) {
    const std::string place = option.is_repeated ? "*" : std::to_string(++position);
    lines += fmt::format("    '{} '{}) echo '{}' ;;\n", verb.name, place, kind_of(option));
  }
  if (verb.runs_program)
    lines += fmt::format("    '{} 1') echo ':program' ;;\n    '{} '*) echo ':file' ;;\n", verb.name, verb.name);
  return lines;
}

}  // namespace

std::string bash_completion(const std::vector<VerbDescription>& verbs) {
  std::vector<std::string> names;
  std::string flags;
  std::string values;
  std::string positionals;
  for (const VerbDescription& verb : verbs) {
    names.push_back(verb.name);
    flags += fmt::format("    {}) echo '{}' ;;\n", verb.name, flags_of(verb));
    values += values_of(verb);
    positionals += positionals_of(verb);
  }
  const auto function = [](const char* name, const char* subject, const std::string& cases) {
    return fmt::format("_ampprof_{}() {{\n  case {} in\n{}  esac\n}}\n\n", name, subject, cases);
  };
  return "# bash completion of ampprof, made by `ampprof completion bash`. To use it now:\n"
         "#   source <(ampprof completion bash)\n\n" +
         fmt::format("_ampprof_verbs() {{\n  echo '{}'\n}}\n\n", joined(names)) + function("flags", "$1", flags) +
         function("value", "\"$1 $2\"", values) + function("positional", "\"$1 $2\"", positionals) + (kBashMachinery + 1);
}

}  // namespace ampprof::cli
