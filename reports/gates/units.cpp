// SPDX-License-Identifier: Apache-2.0
#include "reports/gates/units.h"

#include <algorithm>
#include <array>

namespace ampprof::gates {
namespace {

constexpr std::array kUnits{
    Unit{"ns", Dimension::Time, 1},         kMicroseconds,
    Unit{"µs", Dimension::Time, 1e3},       kMilliseconds,
    Unit{"s", Dimension::Time, 1e9},        kBytes,
    Unit{"kB", Dimension::Memory, 1e3},     Unit{"MB", Dimension::Memory, 1e6},
    Unit{"GB", Dimension::Memory, 1e9},     Unit{"KiB", Dimension::Memory, 0x1p10},
    Unit{"MiB", Dimension::Memory, 0x1p20}, Unit{"GiB", Dimension::Memory, 0x1p30},
    Unit{"%", Dimension::None, 0.01},
};

}  // namespace

const Unit* unit_named(std::string_view name) {
  const auto found = std::find_if(kUnits.begin(), kUnits.end(), [&](const Unit& unit) { return unit.name == name; });
  return found == kUnits.end() ? nullptr : found;
}

std::vector<std::string> unit_names() {
  std::vector<std::string> names;
  for (const Unit& unit : kUnits) names.emplace_back(unit.name);
  return names;
}

std::string_view name_of(Dimension dimension) {
  switch (dimension) {
    case Dimension::Time:
      return "a time";
    case Dimension::Memory:
      return "a size in memory";
    case Dimension::None:
      break;
  }
  return "a plain number";
}

}  // namespace ampprof::gates
