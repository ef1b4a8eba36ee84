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

/// The names of one run's call sites: "backward conv1/convolution_backward". Of several calls of an op in a module and
/// phase within a step, those behind the first are numbered in the order in which they were first met: "#2", "#3".
class CallSiteNames {
 public:
  /// `places`: every place that was recorded, in any order.
  CallSiteNames(const CallSites& sites, const std::vector<SiteInStep>& places);

  /// A place that was not recorded gets the number that its place in the order would give it.
  std::string name(const SiteInStep& place) const;

 private:
  using Operation = std::tuple<Phase, std::string_view, std::string_view>;
  using PlaceInStep = std::pair<std::int32_t, std::int64_t>;  // position, id of the call site

  const CallSites& sites_;
  std::map<Operation, std::vector<PlaceInStep>> places_;  // sorted, without repeats
};

}  // namespace ampprof::queries
