// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "cli/launch/program/exit_code.h"
#include "cli/manual/description.h"
#include "cli/manual/variables.h"

namespace ampprof::cli {
namespace {

constexpr const char* kOptionsAsVariables = R"(.SH ENVIRONMENT
Every long option that takes a value or switches something on can be given as
.BI AMPPROF_ OPTION
too, in capitals and with
.B _
in place of
.BR \- :
.B AMPPROF_FORMAT=json
is
.BR "\-\-format json" .
)";

// Escapes text for groff, so that no line is taken for a request and no dash for a hyphen.
std::string roff(const std::string& text) {
  std::string result;
  bool at_line_start = true;
  for (const char c : text) {
    if (at_line_start && (c == '.' || c == '\'')) result += "\\&";
    at_line_start = c == '\n';
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      result += c;
    }
  }
  return result;
}

std::string entry_of(const OptionDescription& option) {
  std::string names;
  for (const std::string& name : option.names) names += (names.empty() ? "\\fB" : ", \\fB") + roff(name) + "\\fR";
  if (!option.value.empty()) names += (names.empty() ? "\\fI" : " \\fI") + roff(option.value) + "\\fR";
  std::string entry = ".TP\n" + names + '\n' + roff(option.about) + '\n';
  const bool are_named = std::ranges::all_of(
      option.choices, [&](const std::string& choice) { return option.about.find(choice) != std::string::npos; });
  if (!are_named) entry += roff(fmt::format("({})", fmt::join(option.choices, ", "))) + '\n';
  return entry;
}

// Returns the footer. Its example and its indented text keep their line breaks.
std::string footer_of(const std::string& footer) {
  std::string result;
  std::istringstream lines(footer);
  bool is_example = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) continue;
    if (line.starts_with("Example")) {
      result += ".PP\n" + roff(line) + "\n.PP\n.nf\n";
      is_example = true;
    } else {
      result += (result.empty() && !is_example ? ".PP\n" : "") + roff(line) + '\n';
    }
  }
  return result + (is_example ? ".fi\n" : "");
}

std::string section_of(const VerbDescription& verb) {
  std::string text = fmt::format(".SS {}\n{}\n", roff(verb.usage), roff(verb.about));
  for (const OptionDescription& option : verb.positionals) text += entry_of(option);
  for (const OptionDescription& option : verb.options) text += entry_of(option);
  return text + footer_of(verb.footer);
}

/// Returns an entry of a list. Removes backticks from `about`, because groff does not know them.
std::string item_of(std::string_view name, std::string_view about) {
  std::string plain(about);
  std::erase(plain, '`');
  return fmt::format(".TP\n.B {}\n{}\n", name, roff(plain));
}

std::string exit_statuses() {
  std::string text = ".SH EXIT STATUS\n";
  for (const ExitCodeText& status : kExitCodes) text += item_of(std::to_string(status.code), status.about);
  return text;
}

std::string environment() {
  std::string text = kOptionsAsVariables;
  for (const Variable& variable : kVariables) {
    if (variable.read_by == ReadBy::Ampprof) text += item_of(variable.name, variable.about);
  }
  return text;
}

}  // namespace

std::string man_page(const std::vector<VerbDescription>& verbs, const std::string& version) {
  std::string page = fmt::format(".TH AMPPROF 1 \"\" \"ampprof {}\" \"User Commands\"\n", version);
  page +=
      ".SH NAME\nampprof \\- mixed precision profiler for LibTorch programs\n"
      ".SH SYNOPSIS\n.B ampprof\n.I VERB\n.RI [ OPTIONS ]\n"
      ".SH DESCRIPTION\n"
      "Runs any LibTorch program in mixed precision and says what each op loses in FP16, where gradients overflow, "
      "which\n"
      "sizes miss the Tensor Core rules, and which functions must stay in FP32.\n"
      ".SH VERBS\n";
  for (const VerbDescription& verb : verbs) page += section_of(verb);
  return page + exit_statuses() + environment();
}

}  // namespace ampprof::cli
