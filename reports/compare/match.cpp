// SPDX-License-Identifier: Apache-2.0
#include "reports/compare/match.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "reports/queries/ops.h"
#include "reports/records/enum_names.h"

namespace ampprof::compare {
namespace {

using Sites = std::vector<const Site*>;
/// The key of a call site without its line and ordinal.
using Operation = std::tuple<Phase, std::string, std::string, std::int32_t>;

bool same_line(const Site& a, const Site& b) { return a.key.source == b.key.source && a.key.ordinal == b.key.ordinal; }

const Site* at_line_of(const Site& site, const Sites& others) {
  const auto found = std::ranges::find_if(others, [&](const Site* other) { return same_line(site, *other); });
  return found == others.end() ? nullptr : *found;
}

bool has_lines_of(const Sites& sites, const Sites& others) {
  return std::ranges::all_of(others, [&](const Site* other) { return at_line_of(*other, sites) != nullptr; });
}

class Matching {
 public:
  Matching(const std::vector<Site>& a, const std::vector<Site>& b) : sites_a_(a), sites_b_(b) {}

  template <class ModuleOf>
  void match(Match match, ModuleOf module_of) {
    std::map<Operation, std::pair<Sites, Sites>> operations;
    const auto operation = [](const SiteKey& key, const std::string& module) {
      return Operation{key.phase, module, key.op, key.position};
    };
    for (const Site& site : sites_b_) {
      if (!taken_.contains(&site)) operations[operation(site.key, site.key.module)].second.push_back(&site);
    }
    for (const Site& site : sites_a_) {
      if (partners_.contains(&site)) continue;
      const auto found = operations.find(operation(site.key, module_of(site.key.module)));
      if (found != operations.end()) found->second.first.push_back(&site);
    }
    for (const auto& [shared, sides] : operations) pair_up(match, sides.first, sides.second);
  }

  std::vector<SitePair> pairs() const {
    std::vector<SitePair> pairs;
    for (const Site& site : sites_a_) {
      if (const auto found = partners_.find(&site); found != partners_.end()) pairs.push_back(found->second);
    }
    for (const Site& site : sites_a_) {
      if (!partners_.contains(&site)) pairs.push_back({Match::OnlyA, &site, nullptr});
    }
    for (const Site& site : sites_b_) {
      if (!taken_.contains(&site)) pairs.push_back({Match::OnlyB, nullptr, &site});
    }
    return pairs;
  }

 private:
  void pair_up(Match match, const Sites& a, const Sites& b) {
    const bool by_line = has_lines_of(a, b) || has_lines_of(b, a);
    for (std::size_t i = 0; i < a.size(); ++i) {
      const Site* partner = by_line ? at_line_of(*a[i], b) : i < b.size() ? b[i] : nullptr;
      if (partner == nullptr || !taken_.insert(partner).second) continue;
      partners_[a[i]] = {match, a[i], partner};
    }
  }

  const std::vector<Site>& sites_a_;
  const std::vector<Site>& sites_b_;
  std::map<const Site*, SitePair> partners_;  // call sites of A
  std::set<const Site*> taken_;               // call sites of B
};

}  // namespace

std::vector<Site> sites_of(const std::vector<queries::OpRow>& ops) {
  std::vector<Site> sites;
  std::map<SiteKey, std::size_t> places;
  for (const queries::OpRow& op : ops) {
    const SiteKey key{op.phase, op.module, op.op, op.position, op.source, op.ordinal};
    const auto [place, is_new] = places.emplace(key, sites.size());
    if (is_new) sites.push_back({key, {}});
    sites[place->second].rows.push_back(&op);
  }
  return sites;
}

std::string_view name_of(Match match) {
  constexpr std::array<std::string_view, 4> kTexts{"exact", "renamed", "only_a", "only_b"};
  return text_among(kTexts, match);
}

std::vector<SitePair> match_sites(const std::vector<Site>& a, const std::vector<Site>& b, const Renaming& renamed) {
  Matching matching(a, b);
  matching.match(Match::Exact, [](const std::string& module) { return module; });
  if (renamed) matching.match(Match::Renamed, renamed);
  return matching.pairs();
}

}  // namespace ampprof::compare
