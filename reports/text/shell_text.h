// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ampprof::text {

/// A command line as a person would type it: arguments quoted where a shell needs it.
std::string shell_text(const std::vector<std::string>& arguments);

/// Returns the arguments of such a line: words, '...' and backslashes before single characters mean what they mean to a
/// shell; nothing else is special. Empty where a quote does not end.
std::optional<std::vector<std::string>> words_of(std::string_view line);

/// Returns the value that such a line gives a flag, "9" of "--every=9" for "--every"; "" for a switch. Empty where the
/// line does not give it.
std::optional<std::string> flag_in(std::string_view line, std::string_view flag);

}  // namespace ampprof::text
