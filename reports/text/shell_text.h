// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ampprof::text {

/// Returns a command line as a person would type it, with quotes where a shell needs them.
std::string shell_text(const std::vector<std::string>& arguments);

/// Splits a line of shell_text() into arguments. Words, '...' and backslashes before single characters work as in a
/// shell; nothing else is special. Empty if a quote does not end.
std::optional<std::vector<std::string>> words_of(std::string_view line);

/// Returns the value of a flag in a line of shell_text(): "9" for "--every" in "--every=9"; "" for a switch. Empty if
/// the line lacks the flag.
std::optional<std::string> flag_in(std::string_view line, std::string_view flag);

}  // namespace ampprof::text
