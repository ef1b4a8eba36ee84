// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace ampprof::views {

/// Escapes text for an element or an attribute of XML 1.0. Replaces invalid UTF-8 and characters that XML forbids by
/// U+FFFD.
std::string xml_escaped(std::string_view text);

}  // namespace ampprof::views
