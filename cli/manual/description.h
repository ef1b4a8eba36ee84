// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

/// Describes the command line as plain values, from which completions and the manual page are generated. The values are
/// read from the CLI11 objects that also parse and print `--help`, so they are always complete.
namespace ampprof::cli {

struct OptionDescription {
  std::vector<std::string> names;    ///< "-o", "--output"; none for a positional
  std::string value;                 ///< placeholder of its value, "FILE"; "" for a flag
  std::string about;                 ///< a phrase
  std::vector<std::string> choices;  ///< all possible values; empty if open
  bool is_list = false;              ///< several choices, separated by commas
  bool is_repeated = false;          ///< a positional that may be repeated

  bool operator==(const OptionDescription&) const = default;
};

struct VerbDescription {
  std::string name;
  std::string usage;  ///< "ampprof show REPORT [VIEW] [OPTIONS]"
  std::string about;  ///< a sentence
  std::vector<OptionDescription> options;
  std::vector<OptionDescription> positionals;
  std::string footer;         ///< explanations and an example, in lines
  bool runs_program = false;  ///< the arguments after the options are a command to run
};

std::string bash_completion(const std::vector<VerbDescription>& verbs);
std::string zsh_completion(const std::vector<VerbDescription>& verbs);

/// Returns a page for man(1), section 1.
std::string man_page(const std::vector<VerbDescription>& verbs, const std::string& version);

}  // namespace ampprof::cli
