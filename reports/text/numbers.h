// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// Numbers for people: at most 3 significant digits, SI prefixes. JSON and CSV have exact values. NaN and infinities
/// are the words nan, inf and -inf everywhere; an absent value is kAbsent.
namespace ampprof::text {

inline constexpr std::string_view kAbsent = "-";

/// Returns "0.0812", "12.3", "4.10e-05"; from 1,000 on with a prefix: "12.3k", "1.20M".
std::string number(double value);

/// Returns an integer; exact below 10,000, else like number().
std::string count(std::int64_t value);

/// Returns a small quantity by its order of magnitude: "4.1e-04"; "0" for zero.
std::string scientific(double value);
/// Returns a change with its sign: "+4.1e-04", "-4.1e-04", "0".
std::string signed_scientific(double value);

/// Returns the text for the number after "±": 2 significant digits.
std::string uncertainty(double value);

/// Returns a loss scale or another power of two in full: "65536", "0.25".
std::string plain(double value);

/// Returns a number with so many decimals: "8.0", "0.9". In a column, the points of such numbers are aligned.
std::string fixed(double value, int decimals);

/// Returns "640 B", "1.20 MB" (powers of 1000).
std::string bytes(double value);

/// Returns a duration given in microseconds: "3.20 µs", "41.0 ms", "2.10 s".
std::string microseconds(double value);

/// Returns a duration given in milliseconds.
std::string milliseconds(double value);

/// Returns "12%"; "<1%" for a share that would round to zero.
std::string percent(double share);

/// Returns "1:05" or "2:03:10", for time left.
std::string clock(double seconds);

/// Returns show(*value), or kAbsent.
template <class T, class Show>
std::string shown(const std::optional<T>& value, Show show) {
  return value ? show(*value) : std::string(kAbsent);
}

/// Returns "1 step", "3 steps".
std::string counted(std::int64_t n, std::string_view noun);

}  // namespace ampprof::text
