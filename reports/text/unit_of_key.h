// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace ampprof::text {

/// Returns the unit in the name of a public key or column: "µs" for "cpu_us_per_call", "ms" for "ms_per_step", "bytes"
/// for "cast_bytes", "share" for "lost_share"; "" if it contains none.
std::string_view unit_of_key(std::string_view key);

}  // namespace ampprof::text
