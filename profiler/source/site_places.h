// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "profiler/source/source_places.h"
#include "reports/records/op_call.h"

namespace ampprof::profiler {

/// Maps each call site to the line of the site's first call. Not thread-safe.
class SitePlaces {
 public:
  /// Stores the line of a call site. `site`: the row of the call site in the report. If `is_open`, the line is found
  /// later, and the row must then be written again.
  void add(const CallSite& site, SourcePlaces::Id place, bool is_open) {
    const auto index = static_cast<std::size_t>(site.id);
    if (places_.size() <= index) places_.resize(index + 1, SourcePlaces::kUnknown);
    places_[index] = place;
    if (is_open) open_.push_back({site, place});
  }

  /// Returns the line of a call site; kUnknown if the site was not added.
  SourcePlaces::Id of(std::int64_t site) const {
    const auto index = static_cast<std::size_t>(site);
    return index < places_.size() ? places_[index] : SourcePlaces::kUnknown;
  }

  struct Open {
    CallSite site;
    SourcePlaces::Id place;
  };
  /// Returns and clears the sites that were added as open.
  std::vector<Open> take_open() { return std::exchange(open_, {}); }

 private:
  std::vector<SourcePlaces::Id> places_;  ///< indexed by CallSite::id
  std::vector<Open> open_;
};

}  // namespace ampprof::profiler
