// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace ampprof::views {

/// Text as it may stand in an element or an attribute of XML 1.0: markup is escaped; what is no UTF-8 or no character
/// of XML becomes U+FFFD.
std::string xml_escaped(std::string_view text);

}  // namespace ampprof::views
