// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ampprof::gates {

enum class Dimension { None, Time, Memory };

/// Unit that a value is counted in. Units of one dimension convert into each other.
struct Unit {
  std::string_view name = "";  ///< "" for a plain number
  Dimension dimension = Dimension::None;
  double factor = 1.0;  ///< nanoseconds or bytes in one: whole numbers, so that converting loses nothing

  bool is_plain() const { return dimension == Dimension::None; }
  bool operator==(const Unit&) const = default;
};

inline constexpr Unit kPlain{};
inline constexpr Unit kMilliseconds{"ms", Dimension::Time, 1e6};
inline constexpr Unit kMicroseconds{"us", Dimension::Time, 1e3};
inline constexpr Unit kBytes{"B", Dimension::Memory, 1.0};

/// A unit as it stands behind a number: "ms", "GB", "MiB", "%"; null for any other text.
const Unit* unit_named(std::string_view name);

std::vector<std::string> unit_names();

/// "a time", "a size in memory", "a plain number".
std::string_view name_of(Dimension dimension);

}  // namespace ampprof::gates
