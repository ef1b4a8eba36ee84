// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace ampprof::text {

/// Returns the unit that a public key or column names: "µs" of "cpu_us_per_call", "ms" of "ms_per_step", "bytes" of
/// "cast_bytes", "share" of "lost_share"; "" where it names none.
std::string_view unit_of_key(std::string_view key);

}  // namespace ampprof::text
