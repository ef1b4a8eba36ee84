// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// Numbers as people read them: at most 3 significant digits, SI prefixes. Exact values are for JSON and CSV.
/// NaN and infinities are the words nan, inf and -inf everywhere; an absent value is kAbsent.
namespace ampprof::text {

inline constexpr std::string_view kAbsent = "-";

/// "0.0812", "12.3", "4.10e-05"; from 1,000 on with a prefix: "12.3k", "1.20M".
std::string number(double value);

/// An integer; exact below 10,000, then as number().
std::string count(std::int64_t value);

/// A small quantity compared by its order of magnitude: "4.1e-04"; "0" if it is zero.
std::string scientific(double value);
/// Likewise of a change, with its sign: "+4.1e-04", "-4.1e-04", "0".
std::string signed_scientific(double value);

/// Returns what stands behind "±": 2 significant digits.
std::string uncertainty(double value);

/// A loss scale or another power of two, in full: "65536", "0.25".
std::string plain(double value);

/// "640 B", "1.20 MB" (powers of 1000).
std::string bytes(double value);

/// A duration given in microseconds: "3.20 µs", "41.0 ms", "2.10 s".
std::string microseconds(double value);

/// Writes a time that is given in milliseconds.
std::string milliseconds(double value);

/// "12%"; "<1%" for what would round to zero.
std::string percent(double share);

/// "1:05" or "2:03:10", for time left.
std::string clock(double seconds);

/// show(*value), or kAbsent.
template <class T, class Show>
std::string shown(const std::optional<T>& value, Show show) {
  return value ? show(*value) : std::string(kAbsent);
}

/// "1 step", "3 steps".
std::string counted(std::int64_t n, std::string_view noun);

}  // namespace ampprof::text
