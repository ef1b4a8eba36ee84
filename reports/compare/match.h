// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "reports/records/phase.h"

namespace ampprof::queries {
struct OpRow;
}

namespace ampprof::compare {

/// Identifies a call site across two runs.
struct SiteKey {
  Phase phase = Phase::Forward;
  std::string module;
  std::string op;
  std::int32_t position = 0;
  std::string source;  ///< file:line, "" if unknown
  std::int32_t ordinal = 0;

  auto operator<=>(const SiteKey&) const = default;
};

/// A call site in the repeats of one side. The caller of sites_of() owns the rows.
struct Site {
  SiteKey key;
  std::vector<const queries::OpRow*> rows;  ///< one per run that has the call site, at least one

  const queries::OpRow& first() const { return *rows.front(); }
};

/// Groups rows by call site, in the order of the first run. Call sites that only later runs have follow.
std::vector<Site> sites_of(const std::vector<queries::OpRow>& ops);

enum class Match { Exact, Renamed, OnlyA, OnlyB };

/// Returns "exact", "renamed", "only_a" or "only_b"; in JSON: never rename.
std::string_view name_of(Match match);

struct SitePair {
  Match match = Match::Exact;
  const Site* a = nullptr;  ///< null for OnlyB
  const Site* b = nullptr;  ///< null for OnlyA

  const Site& any() const { return a != nullptr ? *a : *b; }
};

/// Returns the name on side B of a module of side A.
using Renaming = std::function<std::string(const std::string& module)>;

/// Matches call sites by phase, module, op and position, each at most once: first with unchanged module paths, then
/// with the paths of A mapped by `renamed`. Call sites with the same key match by line and ordinal if one side has all
/// lines of the other. Otherwise the two sides run different code, and these call sites match in order. Returns the
/// pairs, then the unmatched call sites of A, then those of B.
std::vector<SitePair> match_sites(const std::vector<Site>& a, const std::vector<Site>& b, const Renaming& renamed);

}  // namespace ampprof::compare
