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

/// Names what makes a call site the same in two runs.
struct SiteKey {
  Phase phase = Phase::Forward;
  std::string module;
  std::string op;
  std::int32_t position = 0;
  std::string source;  ///< file:line, "" where unknown
  std::int32_t ordinal = 0;

  auto operator<=>(const SiteKey&) const = default;
};

/// A call site in the repeats of one side. The rows belong to whom sites_of() got them from.
struct Site {
  SiteKey key;
  std::vector<const queries::OpRow*> rows;  ///< one per run that has it, at least one

  const queries::OpRow& first() const { return *rows.front(); }
};

/// In the order of the first run, then what only later ones have.
std::vector<Site> sites_of(const std::vector<queries::OpRow>& ops);

enum class Match { Exact, Renamed, OnlyA, OnlyB };

/// "exact", "renamed", "only_a", "only_b"; in JSON: never rename.
std::string_view name_of(Match match);

struct SitePair {
  Match match = Match::Exact;
  const Site* a = nullptr;  ///< null for OnlyB
  const Site* b = nullptr;  ///< null for OnlyA

  const Site& any() const { return a != nullptr ? *a : *b; }
};

/// Returns what a module of side A is called on side B.
using Renaming = std::function<std::string(const std::string& module)>;

/// Matches what has the same phase, module, op and position, each call site at most once: first as they are, then after
/// `renamed`. Call sites that share these match by line and ordinal where one side has all lines of the other. Else the
/// two sides run other code, and they match by their order. Returns the pairs, then what is left of A, then of B.
std::vector<SitePair> match_sites(const std::vector<Site>& a, const std::vector<Site>& b, const Renaming& renamed);

}  // namespace ampprof::compare
