// SPDX-License-Identifier: Apache-2.0
#include "reports/compare/match.h"

#include <map>

#include "reports/queries/ops.h"
#include "reports/records/enum_names.h"

namespace ampprof::compare {
namespace {

class Matching {
 public:
  Matching(const std::vector<Site>& a, const std::vector<Site>& b) : sites_a_(a), sites_b_(b) {
    for (const Site& site : b) by_key_.emplace(site.key, &site);
  }

  template <class KeyOf>
  void match(Match match, KeyOf key_of) {
    for (const Site& site : sites_a_) {
      if (partners_.contains(&site)) continue;
      const auto found = by_key_.find(key_of(site));
      if (found == by_key_.end()) continue;
      partners_[&site] = {match, &site, found->second};
      by_key_.erase(found);
    }
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
      if (by_key_.contains(site.key)) pairs.push_back({Match::OnlyB, nullptr, &site});
    }
    return pairs;
  }

 private:
  const std::vector<Site>& sites_a_;
  const std::vector<Site>& sites_b_;
  std::map<SiteKey, const Site*> by_key_;  // of B, without a partner yet
  std::map<const Site*, SitePair> partners_;
};

}  // namespace

std::vector<Site> sites_of(const std::vector<queries::OpRow>& ops) {
  std::vector<Site> sites;
  std::map<SiteKey, std::size_t> places;
  for (const queries::OpRow& op : ops) {
    const SiteKey key{op.phase, op.module, op.op, op.position, op.ordinal};
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
  matching.match(Match::Exact, [](const Site& site) { return site.key; });
  if (renamed) {
    matching.match(Match::Renamed, [&](const Site& site) {
      SiteKey key = site.key;
      key.module = renamed(key.module);
      return key;
    });
  }
  return matching.pairs();
}

}  // namespace ampprof::compare
