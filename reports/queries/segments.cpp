// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/segments.h"

#include <algorithm>
#include <iterator>

#include "reports/records/saturating_add.h"
#include "reports/store/tables.h"

namespace ampprof::queries {

namespace {

constexpr const char* kPartsOfSteps =
    "SELECT step, start_ns, end_ns, overhead_ns, recorded, skipped FROM segment WHERE run = ? AND step > 0";

void add_part(const WholeStep& part, WholeStep& step) {
  step.start_ns = std::min(step.start_ns, part.start_ns);
  step.end_ns = std::max(step.end_ns, part.end_ns);
  saturating_add(step.overhead_ns, part.overhead_ns);
  step.recorded = step.recorded && part.recorded;
  step.skipped = step.skipped || part.skipped;
}

std::int64_t overlap_ns(std::int64_t start_ns, std::int64_t end_ns, const WholeStep& part) {
  const std::int64_t from_ns = std::max(start_ns, part.start_ns);
  const std::int64_t to_ns = std::min(end_ns, part.end_ns);
  return to_ns > from_ns ? to_ns - from_ns : 0;
}

/// Adds to each step the time of step 0 between its own segments: a step may load its batch, wait for a validation, and
/// then continue. `parts` are the segments of all steps, in order.
void add_pauses(const Report& report, std::int64_t run, const std::vector<WholeStep>& parts,
                std::vector<WholeStep>& steps) {
  for (const Segment& none : store::records_of(report, store::kSegment, run, "AND step = 0 ORDER BY id")) {
    const auto around = std::ranges::upper_bound(steps, none.start_ns, {}, &WholeStep::start_ns);
    if (around == steps.begin() || none.start_ns < 0) continue;
    WholeStep& step = *std::prev(around);
    std::int64_t pause_ns = overlap_ns(none.start_ns, none.end_ns, step);
    auto part = std::ranges::lower_bound(parts, step.step, {}, &WholeStep::step);
    for (; part != parts.end() && part->step == step.step; ++part) {
      pause_ns -= overlap_ns(none.start_ns, none.end_ns, *part);
    }
    saturating_add(step.paused_ns, std::max<std::int64_t>(pause_ns, 0));
  }
}

}  // namespace

std::vector<Segment> segments(const Report& report, std::int64_t run) {
  return store::records_of(report, store::kSegment, run, "ORDER BY id");
}

std::vector<WholeStep> whole_steps(const Report& report, std::int64_t run) {
  // Groups rows here, since SQLite would sort them, and segments usually come in the order of their steps.
  const auto read = [](store::Statement& row) {
    return WholeStep{.step = row.integer(),
                     .start_ns = row.integer(),
                     .end_ns = row.integer(),
                     .overhead_ns = row.integer(),
                     .recorded = row.flag(),
                     .skipped = row.flag()};
  };
  std::vector<WholeStep> parts = store::rows_of(report, kPartsOfSteps, read, run);
  std::ranges::stable_sort(parts, {}, &WholeStep::step);
  std::vector<WholeStep> steps;
  for (const WholeStep& part : parts) {
    if (steps.empty() || steps.back().step != part.step) {
      steps.push_back(part);
    } else {
      add_part(part, steps.back());
    }
  }
  add_pauses(report, run, parts, steps);
  return steps;
}

std::optional<std::int64_t> last_step(const Report& report, std::int64_t run) {
  // Segment ids ascend.
  store::Statement row(report, "SELECT step FROM segment WHERE run = ? AND step > 0 ORDER BY id DESC LIMIT 1", run);
  if (!row.next()) return std::nullopt;
  return row.integer();
}

}  // namespace ampprof::queries
