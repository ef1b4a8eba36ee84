// SPDX-License-Identifier: Apache-2.0
#include "reports/text/numbers.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace ampprof::text {
namespace {

std::string not_finite(double value) { return std::isnan(value) ? "nan" : std::signbit(value) ? "-inf" : "inf"; }

// Returns the power of ten of `value` after rounding to 3 significant digits: 999.9 has 3, not 2.
int rounded_exponent(double value) {
  const std::string text = fmt::format("{:.2e}", value);
  return std::stoi(text.substr(text.find('e') + 1));
}

// Returns 3 significant digits without an exponent.
std::string three_digits(double value) {
  return fmt::format("{:.{}f}", value, std::max(0, 2 - rounded_exponent(value)));
}

std::string with_prefix(double value, const std::array<const char*, 5>& units) {
  std::size_t unit = 0;
  while (unit + 1 < units.size() && rounded_exponent(value) >= 3) {
    value /= 1000;
    ++unit;
  }
  const std::string digits =
      unit == 0 && value == std::round(value) ? fmt::format("{:.0f}", value) : three_digits(value);
  return digits + units[unit];
}

}  // namespace

std::string number(double value) {
  if (!std::isfinite(value)) return not_finite(value);
  if (value == 0) return "0";
  const int exponent = rounded_exponent(value);
  if (exponent < -3 || exponent >= 15) return fmt::format("{:.2e}", value);
  if (exponent < 3) return value == std::round(value) ? fmt::format("{:.0f}", value) : three_digits(value);
  return with_prefix(value, {"", "k", "M", "G", "T"});
}

std::string count(std::int64_t value) {
  return value > -10000 && value < 10000 ? std::to_string(value) : number(static_cast<double>(value));
}

std::string scientific(double value) {
  if (!std::isfinite(value)) return not_finite(value);
  return value == 0 ? "0" : fmt::format("{:.1e}", value);
}

std::string signed_scientific(double value) { return (value > 0 ? "+" : "") + scientific(value); }

std::string uncertainty(double value) {
  return std::isfinite(value) ? fmt::format("{:.2g}", value) : not_finite(value);
}

std::string plain(double value) { return std::isfinite(value) ? fmt::format("{:.9g}", value) : not_finite(value); }

std::string fixed(double value, int decimals) {
  if (!std::isfinite(value)) return not_finite(value);
  std::string text = fmt::format("{:.{}f}", value, decimals);
  const bool is_zero = text.find_first_of("123456789") == std::string::npos;
  return is_zero && text.front() == '-' ? text.substr(1) : text;
}

std::string bytes(double value) {
  if (!std::isfinite(value)) return not_finite(value);
  return with_prefix(value, {" B", " kB", " MB", " GB", " TB"});
}

std::string microseconds(double value) {
  if (!std::isfinite(value)) return not_finite(value);
  return with_prefix(value, {" µs", " ms", " s", "k s", "M s"});
}

std::string milliseconds(double value) { return microseconds(value * 1000); }

std::string percent(double share) {
  if (!std::isfinite(share)) return not_finite(share);
  if (share > 0 && share < 0.005) return "<1%";
  return fmt::format("{:.0f}%", std::round(100 * share) + 0.0);  // rounds halves up; + 0.0 turns -0 into 0
}

std::string clock(double seconds) {
  const auto whole = static_cast<std::int64_t>(std::lround(std::max(0.0, seconds)));
  if (whole >= 3600) return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

std::string counted(std::int64_t n, std::string_view noun) {
  return fmt::format("{} {}{}", count(n), noun, n == 1 ? "" : "s");
}

}  // namespace ampprof::text
