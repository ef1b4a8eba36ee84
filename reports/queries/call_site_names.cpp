// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/call_site_names.h"

#include <algorithm>

namespace ampprof::queries {

CallSiteNames::CallSiteNames(const CallSites& sites, const std::vector<SiteInStep>& places) : sites_(sites) {
  for (const auto& [id, position] : places) {
    const auto found = sites.find(id);
    if (found == sites.end()) continue;
    const CallSite& site = found->second;
    places_[{site.phase, site.module, site.op}].emplace_back(position, id);
  }
  for (auto& [operation, order] : places_) {
    std::sort(order.begin(), order.end());
    order.erase(std::unique(order.begin(), order.end()), order.end());
  }
}

std::string CallSiteNames::name(const SiteInStep& place) const {
  const auto found = sites_.find(place.first);
  if (found == sites_.end()) return "?";
  const CallSite& site = found->second;

  std::string name;
  if (site.phase != Phase::Forward) name.append(name_of(site.phase)).append(" ");
  if (!site.module.empty()) name.append(site.module).append("/");
  name += site.op;

  const auto order = places_.find({site.phase, site.module, site.op});
  if (order == places_.end()) return name;
  const auto& all = order->second;
  const auto rank = std::lower_bound(all.begin(), all.end(), PlaceInStep{place.second, place.first}) - all.begin();
  if (rank > 0) name.append("#").append(std::to_string(rank + 1));
  return name;
}

}  // namespace ampprof::queries
