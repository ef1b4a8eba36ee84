// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ampprof::profiler {

/// Maps strings to dense ids and back. Id 0 is the empty string. Not thread-safe.
class Names {
 public:
  Names() { id_of(""); }

  std::int32_t id_of(std::string_view text) {
    const auto [place, is_new] = ids_.try_emplace(std::string(text), static_cast<std::int32_t>(texts_.size()));
    if (is_new) texts_.push_back(place->first);
    return place->second;
  }

  const std::string& text_of(std::int32_t id) const { return texts_.at(static_cast<std::size_t>(id)); }

 private:
  std::unordered_map<std::string, std::int32_t> ids_;
  std::vector<std::string> texts_;
};

}  // namespace ampprof::profiler
