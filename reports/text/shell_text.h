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

}  // namespace ampprof::text
