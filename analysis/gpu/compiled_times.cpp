// SPDX-License-Identifier: Apache-2.0
#include "analysis/gpu/compiled_times.h"

#include <deque>
#include <tuple>

#include "reports/queries/ops.h"
#include "reports/records/compiled_region.h"

namespace ampprof::analysis {
namespace {

using Key = std::tuple<Phase, std::string, std::string, std::string>;

Key key_of(const queries::OpRow& op) { return {op.phase, op.module, op.op, op.source}; }

/// Returns "a.b" for "a.b.c", and "" for "a".
std::string module_around(const std::string& module) {
  const std::size_t dot = module.rfind('.');
  return dot == std::string::npos ? "" : module.substr(0, dot);
}

}  // namespace

CompiledTimes::CompiledTimes(const std::vector<queries::OpRow>& eager, const std::vector<queries::OpRow>& compiled) {
  std::map<Key, std::deque<const queries::OpRow*>> alike;
  for (const queries::OpRow& op : compiled) {
    if (is_compiled_region(op.op)) {
      regions_[{op.phase, op.module}].push_back(&op);
    } else {
      alike[key_of(op)].push_back(&op);
    }
  }
  for (const queries::OpRow& op : eager) {
    const auto same = alike.find(key_of(op));
    if (same != alike.end() && !same->second.empty()) {
      uncompiled_.emplace(op.call_site, same->second.front());
      same->second.pop_front();
    } else if (const auto region = region_around(op); region != regions_.end()) {
      first_covered_.emplace(region->first, op.call_site);
    }
  }
}

CompiledTimes::Regions::const_iterator CompiledTimes::region_around(const queries::OpRow& eager) const {
  for (std::string module = eager.module;; module = module_around(module)) {
    const auto found = regions_.find({eager.phase, module});
    if (found != regions_.end() || module.empty()) return found;
  }
}

const queries::OpRow* CompiledTimes::uncompiled(const queries::OpRow& eager) const {
  const auto found = uncompiled_.find(eager.call_site);
  return found == uncompiled_.end() ? nullptr : found->second;
}

std::vector<const queries::OpRow*> CompiledTimes::covering(const queries::OpRow& eager) const {
  if (uncompiled(eager) != nullptr) return {};
  const auto region = region_around(eager);
  return region == regions_.end() ? std::vector<const queries::OpRow*>() : region->second;
}

bool CompiledTimes::is_first_covered(const queries::OpRow& eager) const {
  if (uncompiled(eager) != nullptr) return false;
  const auto region = region_around(eager);
  const auto first = region == regions_.end() ? first_covered_.end() : first_covered_.find(region->first);
  return first != first_covered_.end() && first->second == eager.call_site;
}

}  // namespace ampprof::analysis
