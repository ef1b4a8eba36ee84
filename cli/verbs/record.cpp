// SPDX-License-Identifier: Apache-2.0
// The verbs record-begin and record-end. A program that records itself starts them; they are not for users.
#include <fmt/format.h>

#include <charconv>

#include "cli/launch/program/exit_code.h"
#include "cli/launch/run/own_recording.h"
#include "cli/verbs/run_options.h"
#include "reports/text/usage_error.h"

namespace ampprof::cli {

/// Arguments: the version of the program's LibTorch, then flags. Prints "NAME=value" for each variable of the recorder,
/// followed by a NUL.
int record_begin_verb(const Arguments& arguments, const Installation& installation) {
  if (arguments.empty()) throw text::UsageError("record-begin needs a LibTorch. Programs call it, not people.");
  const auto options = own_recording_options_from({arguments.begin() + 1, arguments.end()});
  if (!options) return kFine;
  for (const std::string& variable : begin_own_recording(*options, arguments.front(), installation)) {
    fmt::print("{}{}", variable, '\0');
  }
  return kFine;
}

int record_end_verb(const Arguments& arguments, const Installation&) {
  int exit_code = 0;
  const std::string text = arguments.empty() ? "" : arguments.front();
  if (std::from_chars(text.data(), text.data() + text.size(), exit_code).ec != std::errc()) {
    throw text::UsageError("record-end needs the exit code of the program. Programs call it, not people.");
  }
  return end_own_recording(exit_code);
}

}  // namespace ampprof::cli
