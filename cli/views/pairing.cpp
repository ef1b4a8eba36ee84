// SPDX-License-Identifier: Apache-2.0
#include "cli/views/pairing.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/errors.h"
#include "cli/text/elide.h"
#include "cli/text/nearest.h"
#include "cli/views/view.h"

namespace ampprof::cli {
namespace {

using Runs = std::vector<RunRow>;

std::string names_of(const Runs& runs) {
  std::vector<std::string> names;
  for (const RunRow& run : runs) {
    names.push_back(fmt::format("{}{}", run.run, run.level.empty() ? "" : " (" + printable(run.level) + ")"));
  }
  return names.empty() ? "It holds none." : "Its runs are " + listed(names) + ".";
}

void check_number(const std::vector<std::string>& wanted) {
  if (wanted.size() > 2) throw UsageError("--run: two sides are compared; name at most two runs or levels.");
}

const Runs* level_of(const std::vector<Runs>& levels, const std::string& level) {
  const auto found =
      std::find_if(levels.begin(), levels.end(), [&](const Runs& runs) { return runs.front().level == level; });
  return found == levels.end() ? nullptr : &*found;
}

}  // namespace

std::vector<Runs> by_level(const Runs& runs) {
  std::vector<Runs> levels;
  for (const RunRow& run : runs) {
    const auto same =
        std::find_if(levels.begin(), levels.end(), [&](const Runs& level) { return level.front().level == run.level; });
    (same == levels.end() ? levels.emplace_back() : *same).push_back(run);
  }
  return levels;
}

std::string name_of(const Runs& repeats) {
  const RunRow& first = repeats.front();
  if (!first.level.empty()) return printable(first.level);
  return repeats.size() == 1 ? fmt::format("run {}", first.run)
                             : fmt::format("runs {} to {}", first.run, repeats.back().run);
}

bool is_deterministic(const RunRow& run) {
  const Json settings = Json::parse(run.settings_json, nullptr, false);
  return settings.is_object() && settings.value("deterministic", Json()) == Json(true);
}

Runs runs_named(const Runs& runs, const std::string& wanted, const std::string& report) {
  Runs named;
  std::copy_if(runs.begin(), runs.end(), std::back_inserter(named),
               [&](const RunRow& run) { return names_run(wanted, run.run, run.level); });
  if (!named.empty()) return named;
  throw UsageError(fmt::format("--run: {} has no run '{}'. {}", report, wanted, names_of(runs)));
}

Runs runs_wanted(const Runs& runs, const std::optional<std::string>& wanted, const std::string& report) {
  return wanted ? runs_named(runs, *wanted, report) : runs;
}

std::vector<Pairing> pair_runs(const Runs& runs, const std::vector<std::string>& wanted) {
  check_number(wanted);
  if (wanted.size() == 2) {
    return {{runs_named(runs, wanted[0], "the report"), runs_named(runs, wanted[1], "the report")}};
  }
  const std::vector<Runs> levels = by_level(runs);
  const Runs* base = level_of(levels, "O0");
  if (base == nullptr && wanted.empty() && levels.size() == 2) return {{levels[0], levels[1]}};
  if (base == nullptr || (wanted.empty() && levels.size() == 1)) {
    throw UsageError(
        fmt::format("Which runs are to be compared? Name a second report, or two runs or levels of this one: ampprof "
                    "diff REPORT --run O0 --run O1. {}",
                    names_of(runs)));
  }
  std::vector<Pairing> pairings;
  for (const Runs& level : levels) {
    if (wanted.empty() && &level != base) pairings.push_back({*base, level});
  }
  if (wanted.empty()) return pairings;
  const Runs other = runs_named(runs, wanted[0], "the report");
  if (other.front().level == "O0") {
    throw UsageError("--run: one side is O0 by itself; name the other side, too: --run O0 --run O1.");
  }
  return {{*base, other}};
}

std::vector<Pairing> pair_runs(const Runs& a, const Runs& b, const std::vector<std::string>& wanted) {
  check_number(wanted);
  if (!wanted.empty()) return {{runs_named(a, wanted.front(), "A"), runs_named(b, wanted.back(), "B")}};
  const std::vector<Runs> levels_a = by_level(a);
  const std::vector<Runs> levels_b = by_level(b);
  std::vector<Pairing> pairings;
  for (const Runs& level : levels_a) {
    if (const Runs* same = level_of(levels_b, level.front().level)) pairings.push_back({level, *same});
  }
  if (!pairings.empty()) return pairings;
  if (levels_a.size() == 1 && levels_b.size() == 1) return {{levels_a[0], levels_b[0]}};
  throw UsageError(
      fmt::format("The reports have no level in common. Of A: {} Of B: {} Name one of each: --run O0 --run O1.",
                  names_of(a), names_of(b)));
}

}  // namespace ampprof::cli
