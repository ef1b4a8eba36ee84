// SPDX-License-Identifier: Apache-2.0
// The ranges that the program marks with NVTX.

#include <iterator>
#include <string>

#include "profiler/nvtx/emit.h"
#include "profiler/observer/session.h"

namespace ampprof::profiler {
namespace {

void append(Batch& to, TakenRanges&& from) {
  std::ranges::move(from.names, std::back_inserter(to.range_names));
  std::ranges::move(from.ranges, std::back_inserter(to.ranges));
}

}  // namespace

// A step begins where the one before it ended, on whatever thread.
void Session::mark_step() {
  if (!is_listened_to_) return;
  emission::end(marked_step_);
  marked_step_ =
      emission::start(emission::Kind::Step, ("step " + std::to_string(first_course().steps.expected_step())).c_str());
}

void Session::collect_ranges() {
  TakenRanges taken = ranges_.take();
  if (taken.ranges.empty() && taken.names.empty()) return;
  recorder_.add([&](Batch& batch) { append(batch, std::move(taken)); });
}

void Session::finish_ranges() {
  emission::end(marked_step_);
  emission::end(marked_level_);
  TakenRanges taken = ranges_.finish(now_ns());
  recorder_.add([&](Batch& batch) {
    append(batch, std::move(taken));
    for (Missing& missing : missing_of(ranges_.counts())) batch.missing.push_back(std::move(missing));
  });
}

}  // namespace ampprof::profiler
