// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reports/queries/queries.h"

namespace ampprof::gui {

/// Op calls that follow each other in one segment, phase and module; deeper ones lie within those above them.
struct Scope {
  std::int64_t from_ns = 0;
  std::int64_t to_ns = 0;
  int depth = 0;     ///< 0 for the phase, then a level of the module path each
  std::string name;  ///< "backward", "decoder"

  bool operator==(const Scope&) const = default;
};

inline constexpr int kMostScopes = 4;  ///< levels, the phase included

/// What a timeline knows of a run whatever span it shows.
struct TimelineRun {
  std::int64_t run = 0;
  TimeSpan whole;                 ///< of its calls and segments; empty without any
  std::vector<Segment> segments;  ///< by id
  CallTexts texts;
  LaneSummary overview;  ///< of `whole`
  int scope_levels = 1;  ///< levels that its scopes have, at most kMostScopes
};

/// A span of a run as it can be drawn. `calls` and `scopes` are there where the calls are few enough.
struct TimelinePicture {
  TimeSpan span;
  LaneSummary summary;
  /// For each lane of TimelineRun::overview, by start.
  std::vector<std::vector<SpanCall>> calls;
  std::vector<std::vector<Scope>> scopes;

  bool hasCalls() const { return !calls.empty(); }
};

/// The calls of one thread as nested scopes, by level and start. Calls of an unknown site have no phase, so no scope.
std::vector<Scope> scopesOf(std::span<const SpanCall> calls, const CallSites& sites);

/// Levels of scopes that call sites have, at most kMostScopes.
int scopeLevelsOf(const CallSites& sites);

/// Reads what a timeline of a run needs first.
TimelineRun readTimelineRun(const Report& report, std::int64_t run);

/// Reads a span for a width of so many bins; calls where there are at most `most_calls`.
TimelinePicture readTimelinePicture(const Report& report, const TimelineRun& run, const TimeSpan& span, int bins,
                                    std::int64_t most_calls);

}  // namespace ampprof::gui
