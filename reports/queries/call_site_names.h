// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "reports/records/op_call.h"
#include "reports/records/op_total.h"

namespace ampprof::queries {

using CallSites = std::unordered_map<std::int64_t, CallSite>;

/// The names of one run's call sites: "backward conv1/convolution_backward". Further calls of an op in the same module,
/// phase and step get numbers, in the order of their first calls: "#2", "#3".
class CallSiteNames {
 public:
  /// `places` are all places of the run that have calls, in any order.
  CallSiteNames(const CallSites& sites, const std::vector<SiteInStep>& places);

  /// Returns the name of a call site at a position. If it is not among the constructor's `places`, it gets the number
  /// that it would have there.
  std::string name(const SiteInStep& place) const;

 private:
  using Operation = std::tuple<Phase, std::string_view, std::string_view>;
  using PlaceInStep = std::pair<std::int32_t, std::int64_t>;  // position, id of the call site

  const CallSites& sites_;
  std::map<Operation, std::vector<PlaceInStep>> places_;  // sorted, without repeats
};

}  // namespace ampprof::queries
