// SPDX-License-Identifier: Apache-2.0
#include "analysis/compare/pairing.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string_view>

#include "amp_core/levels/level.h"
#include "analysis/runs/run_settings.h"
#include "reports/queries/run_names.h"

namespace ampprof::analysis {
namespace {

using Runs = std::vector<queries::RunRow>;
using Why = Unpaired::Why;
using Side = Unpaired::Side;

bool is_baseline(const Runs& level) { return amp::is_fp32_level(level.front().level); }

/// Returns whether two runs are repeats of each other.
bool are_alike(const queries::RunRow& a, const queries::RunRow& b) {
  return a.level == b.level && is_eager(a) == is_eager(b);
}

template <typename Levels>
auto level_like(Levels& levels, const queries::RunRow& run) {
  return std::ranges::find_if(levels, [&](const Runs& level) { return are_alike(level.front(), run); });
}

Pairings named(const Runs& a, const std::string& wanted_a, Side side_a, const Runs& b, const std::string& wanted_b,
               Side side_b) {
  Pairing pairing{runs_named(a, wanted_a), runs_named(b, wanted_b)};
  if (pairing.a.empty()) return Unpaired{Why::NoSuchRun, wanted_a, side_a};
  if (pairing.b.empty()) return Unpaired{Why::NoSuchRun, wanted_b, side_b};
  return std::vector{std::move(pairing)};
}

/// Returns a number that is larger for a level of less precision; -1 for a level that only the program knows.
std::ptrdiff_t reduction_of(const Runs& level) {
  const auto levels = amp::levels();
  const auto found = std::ranges::find(levels, std::string_view(level.front().level), &amp::Level::name);
  return found == levels.end() ? -1 : found - levels.begin();
}

std::vector<Pairing> against_each(const Runs& base, const std::vector<Runs>& levels) {
  std::vector<Pairing> pairings;
  for (const Runs& level : levels) {
    if (&level != &base) pairings.push_back({base, level});
  }
  return pairings;
}

}  // namespace

std::vector<Runs> by_level(const Runs& runs) {
  std::vector<Runs> levels;
  for (const queries::RunRow& run : runs) {
    const auto same = level_like(levels, run);
    (same == levels.end() ? levels.emplace_back() : *same).push_back(run);
  }
  return levels;
}

bool is_eager(const queries::RunRow& run) { return RunSettings(run.settings_json).is_on("compile_disabled"); }

bool is_deterministic(const queries::RunRow& run) { return RunSettings(run.settings_json).is_on("deterministic"); }

Runs runs_named(const Runs& runs, const std::string& wanted) {
  Runs named;
  std::ranges::copy_if(runs, std::back_inserter(named),
                       [&](const queries::RunRow& run) { return queries::names_run(wanted, run.run, run.level); });
  if (named.empty()) return named;
  const queries::RunRow first = named.front();
  std::erase_if(named, [&](const queries::RunRow& run) { return !are_alike(run, first); });
  return named;
}

std::optional<Pairing> farthest_pairing(const Runs& runs) {
  if (runs.size() < 2) return std::nullopt;
  const std::vector<Runs> levels = by_level(runs);
  if (levels.size() == 1) return Pairing{{runs[0]}, {runs[1]}};
  const auto fp32 = std::ranges::find_if(levels, is_baseline);
  const Runs& base = fp32 == levels.end() ? levels.front() : *fp32;
  const Runs* other = nullptr;
  for (const Runs& level : levels) {
    if (&level != &base && (other == nullptr || reduction_of(level) > reduction_of(*other))) other = &level;
  }
  return Pairing{base, *other};
}

Pairings pair_runs(const Runs& runs, const std::vector<std::string>& wanted) {
  if (wanted.size() > 2) return Unpaired{Why::TooManySides};
  if (wanted.size() == 2) return named(runs, wanted[0], Side::Report, runs, wanted[1], Side::Report);
  const std::vector<Runs> levels = by_level(runs);
  const auto fp32 = std::ranges::find_if(levels, is_baseline);
  const Runs* base = fp32 == levels.end() ? nullptr : &*fp32;
  if (base == nullptr && wanted.empty() && levels.size() == 2) return std::vector{Pairing{levels[0], levels[1]}};
  if (base == nullptr || (wanted.empty() && levels.size() == 1)) return Unpaired{Why::NothingNamed};
  if (wanted.empty()) return against_each(*base, levels);
  const Runs other = runs_named(runs, wanted[0]);
  if (other.empty()) return Unpaired{Why::NoSuchRun, wanted[0]};
  if (is_baseline(other)) return Unpaired{Why::SidesAreTheSame};
  return std::vector{Pairing{*base, other}};
}

Pairings pair_runs(const Runs& a, const Runs& b, const std::vector<std::string>& wanted) {
  if (wanted.size() > 2) return Unpaired{Why::TooManySides};
  if (!wanted.empty()) return named(a, wanted.front(), Side::A, b, wanted.back(), Side::B);
  const std::vector<Runs> levels_a = by_level(a);
  const std::vector<Runs> levels_b = by_level(b);
  std::vector<Pairing> pairings;
  for (const Runs& level : levels_a) {
    const auto same = level_like(levels_b, level.front());
    if (same != levels_b.end()) pairings.push_back({level, *same});
  }
  if (!pairings.empty()) return pairings;
  if (levels_a.size() == 1 && levels_b.size() == 1) return std::vector{Pairing{levels_a[0], levels_b[0]}};
  return Unpaired{Why::NoCommonLevel};
}

}  // namespace ampprof::analysis
