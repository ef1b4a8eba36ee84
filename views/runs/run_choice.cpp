// SPDX-License-Identifier: Apache-2.0
#include "views/runs/run_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "analysis/compare/pairing.h"
#include "reports/queries/run_names.h"
#include "reports/queries/runs.h"
#include "reports/text/elide.h"
#include "reports/text/listed.h"
#include "reports/text/usage_error.h"

namespace ampprof::views {
namespace {

using analysis::Pairing;
using analysis::Unpaired;
using Runs = std::vector<queries::RunRow>;
using text::UsageError;

std::string names_of(const Runs& runs) {
  std::vector<std::string> names;
  for (const queries::RunRow& run : runs) {
    names.push_back(fmt::format("{}{}", run.run, run.level.empty() ? "" : " (" + text::printable(run.level) + ")"));
  }
  return names.empty() ? "The report has no runs." : "Its runs are " + text::listed(names) + ".";
}

text::UsageError no_such_run(const Runs& runs, const std::string& wanted, const std::string& report) {
  return text::UsageError(fmt::format("--run: {} has no run '{}'. {}", report, wanted, names_of(runs)));
}

text::UsageError sentence_of(const Unpaired& unpaired, const Runs& a, const Runs& b) {
  switch (unpaired.why) {
    case Unpaired::Why::TooManySides:
      return text::UsageError("--run: diff compares two sides. Name at most two runs or levels.");
    case Unpaired::Why::NoSuchRun:
      switch (unpaired.side) {
        case Unpaired::Side::Report:
          return no_such_run(a, unpaired.wanted, "the report");
        case Unpaired::Side::A:
          return no_such_run(a, unpaired.wanted, "A");
        case Unpaired::Side::B:
          return no_such_run(b, unpaired.wanted, "B");
      }
      break;
    case Unpaired::Why::NothingNamed:
      return text::UsageError(
          fmt::format("Nothing to compare. Name a second report, or two runs or levels of this one: ampprof diff "
                      "REPORT --run O0 --run O1. {}",
                      names_of(a)));
    case Unpaired::Why::SidesAreTheSame:
      return text::UsageError("--run: one side is O0 by default. Name the other side, or both: --run O0 --run O1.");
    case Unpaired::Why::NoCommonLevel:
      break;
  }
  return text::UsageError(
      fmt::format("The reports have no level in common. A: {} B: {} Name one run of each report: --run O0 --run O1.",
                  names_of(a), names_of(b)));
}

/// Returns whether rank_mark() is equal for both runs. Does not build the texts, because a report may hold a thousand
/// ranks.
bool have_same_mark(const queries::RunRow& a, const queries::RunRow& b) {
  const bool is_one_of_many = queries::is_one_of_many(a);
  return is_one_of_many == queries::is_one_of_many(b) && (!is_one_of_many || a.rank == b.rank);
}

const char* eager_mark(const queries::RunRow& run) { return analysis::is_eager(run) ? " eager" : ""; }

/// Returns the part of a run's label that marks eager runs and --what-if.
std::string kind_mark(const queries::RunRow& run) {
  return eager_mark(run) + (run.what_if.empty() ? "" : " what-if " + text::printable(run.what_if));
}

/// Level, kind_mark() and rank of a run. Labels of runs with equal keys differ only in a suffix such as " #2".
using LabelKey = std::tuple<std::string, std::string, std::optional<std::int64_t>>;

LabelKey label_key_of(const queries::RunRow& run) {
  return {run.level, kind_mark(run), queries::is_one_of_many(run) ? run.rank : std::nullopt};
}

/// Returns the label of a run; `earlier` is the number of earlier runs with the same LabelKey.
std::string label_behind(std::ptrdiff_t earlier, const queries::RunRow& run) {
  const std::string rank = queries::rank_mark(run);
  if (run.level.empty()) return fmt::format("run {}{}{}", run.run, kind_mark(run), rank);
  return text::printable(run.level) + kind_mark(run) + rank + (earlier > 0 ? " #" + std::to_string(earlier + 1) : "");
}

std::vector<analysis::Pairing> pairings_of(const analysis::Pairings& pairings, const Runs& a, const Runs& b) {
  if (const auto* unpaired = std::get_if<Unpaired>(&pairings)) throw sentence_of(*unpaired, a, b);
  return std::get<std::vector<analysis::Pairing>>(pairings);
}

}  // namespace

std::string name_of(const Runs& repeats) {
  const queries::RunRow& first = repeats.front();
  const char* eager = eager_mark(first);
  if (!first.level.empty()) return text::printable(first.level) + eager;
  return repeats.size() == 1 ? fmt::format("run {}{}", first.run, eager)
                             : fmt::format("runs {} to {}{}", first.run, repeats.back().run, eager);
}

std::string label_of(const queries::RunRow& run, const Runs& runs) {
  const auto earlier = std::ranges::count_if(runs, [&](const queries::RunRow& other) {
    return other.run < run.run && have_same_mark(other, run) && other.level == run.level &&
           kind_mark(other) == kind_mark(run);
  });
  return label_behind(earlier, run);
}

std::string label_of(std::int64_t run, const Runs& runs) {
  const auto found = std::ranges::find(runs, run, &queries::RunRow::run);
  return found == runs.end() ? "run " + std::to_string(run) : label_of(*found, runs);
}

std::vector<std::string> labels_of(const Runs& runs) {
  std::map<LabelKey, std::vector<std::int64_t>> alike;  // ids of runs, ascending
  for (const queries::RunRow& run : runs) alike[label_key_of(run)].push_back(run.run);
  for (auto& [key, ids] : alike) std::ranges::sort(ids);
  std::vector<std::string> labels;
  for (const queries::RunRow& run : runs) {
    const std::vector<std::int64_t>& ids = alike.at(label_key_of(run));
    labels.push_back(label_behind(std::ranges::lower_bound(ids, run.run) - ids.begin(), run));
  }
  return labels;
}

Runs runs_named(const Runs& runs, const std::string& wanted, const std::string& report) {
  Runs named = analysis::runs_named(runs, wanted);
  if (named.empty()) throw no_such_run(runs, wanted, report);
  return named;
}

Runs runs_wanted(const Runs& runs, const std::optional<std::string>& wanted, const std::string& report) {
  return wanted ? runs_named(runs, *wanted, report) : runs;
}

std::vector<analysis::Pairing> pair_runs(const Runs& runs, const std::vector<std::string>& wanted) {
  return pairings_of(analysis::pair_runs(runs, wanted), runs, runs);
}

std::vector<analysis::Pairing> pair_runs(const Runs& a, const Runs& b, const std::vector<std::string>& wanted) {
  return pairings_of(analysis::pair_runs(a, b, wanted), a, b);
}

}  // namespace ampprof::views
