// SPDX-License-Identifier: Apache-2.0
#include "profiler/observer/pending_bounds.h"

#include <gtest/gtest.h>

#include <ostream>

namespace ampprof::profiler {
namespace pending_bounds_test {

struct Case {
  const char* name;
  PendingLoad load;
  bool brings;
};
void PrintTo(const Case& of, std::ostream* out) { *out << of.name; }

class PendingBounds : public testing::TestWithParam<Case> {};

TEST_P(PendingBounds, SayWhetherFiguresAreBroughtBeforeAStepEnds) {
  EXPECT_EQ(waits_too_long(GetParam().load), GetParam().brings);
}

constexpr std::int64_t kHour = 3'600'000'000'000;

INSTANTIATE_TEST_SUITE_P(
    Cases, PendingBounds,
    testing::Values(
        Case{"nothing waits", {.waited_ns = kHour}, false},
        Case{"a few, for a short time", {.calls = 4095, .waited_ns = 249'999'999}, false},
        Case{"many", {.calls = 4096}, true},
        Case{"one, for a quarter of a second", {.calls = 1, .waited_ns = 250'000'000}, true},
        Case{"a step of training that takes long", {.calls = 4095, .waited_ns = kHour, .is_in_training = true}, false},
        Case{"a step of training with many calls", {.calls = 4096, .is_in_training = true}, true},
        Case{"a backward pass before its loss scale is known",
             {.calls = 65535, .waited_ns = kHour, .awaits_loss_scale = true},
             false},
        Case{"backward passes that no step ends", {.calls = 65536, .awaits_loss_scale = true}, true}));

}  // namespace pending_bounds_test
}  // namespace ampprof::profiler
