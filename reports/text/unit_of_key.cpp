// SPDX-License-Identifier: Apache-2.0
#include "reports/text/unit_of_key.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace ampprof::text {
namespace {

constexpr std::pair<std::string_view, std::string_view> kUnits[]{
    {"ns", "ns"},       {"us", "µs"},       {"ms", "ms"},   {"seconds", "s"},
    {"bytes", "bytes"}, {"share", "share"}, {"mhz", "MHz"}, {"db", "dB"},
};

}  // namespace

std::string_view unit_of_key(std::string_view key) {
  while (!key.empty()) {
    const auto end = std::min(key.find_first_of("_."), key.size());
    const auto* const unit =
        std::ranges::find(kUnits, key.substr(0, end), &std::pair<std::string_view, std::string_view>::first);
    if (unit != std::end(kUnits)) return unit->second;
    key.remove_prefix(std::min(end + 1, key.size()));
  }
  return "";
}

}  // namespace ampprof::text
