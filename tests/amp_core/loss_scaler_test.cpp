// SPDX-License-Identifier: Apache-2.0
#include "amp_core/loss_scaler.h"

#include <gtest/gtest.h>

namespace amp {
namespace {

constexpr LossScalerOptions kSmall{
    .initial = 8, .growth = 2, .backoff = 0.5, .growth_interval = 3, .minimum = 2, .maximum = 32};
constexpr LossScalerOptions kStatic{.initial = 128, .growth_interval = 3, .dynamic = false};
constexpr LossScalerOptions kWithoutFloor{.initial = 1, .growth_interval = 3};

// A run is a string: '.' is a clean pass, 'x' an overflow.
struct Run {
  const char* name;
  LossScalerOptions options;
  std::string_view passes;
  double expected_scale;
  std::int64_t expected_clean;
};

void PrintTo(const Run& run, std::ostream* out) { *out << run.name << " \"" << run.passes << '"'; }

class LossScalerRun : public testing::TestWithParam<Run> {};

TEST_P(LossScalerRun, EndsAtTheExpectedScale) {
  LossScaler scaler(GetParam().options);
  for (const char pass : GetParam().passes) {
    const bool may_step = !scaler.is_dynamic() || pass == '.';
    EXPECT_EQ(scaler.update(pass == 'x'), may_step) << "only a dynamic scale skips, and only an overflow";
  }
  EXPECT_EQ(scaler.scale(), GetParam().expected_scale);
  EXPECT_EQ(scaler.clean_passes(), GetParam().expected_clean);
}

INSTANTIATE_TEST_SUITE_P(
    LossScaler, LossScalerRun,
    testing::Values(Run{"starts_at_initial", kSmall, "", 8, 0}, Run{"waits_for_the_interval", kSmall, "..", 8, 2},
                    Run{"grows_at_the_interval", kSmall, "...", 16, 0}, Run{"grows_again", kSmall, "......", 32, 0},
                    Run{"stops_at_the_maximum", kSmall, ".........", 32, 0},
                    Run{"shrinks_on_overflow", kSmall, "x", 4, 0}, Run{"stops_at_the_minimum", kSmall, "xxxxx", 2, 0},
                    Run{"has_no_floor_by_default", kWithoutFloor, "xxxx", 0.0625, 0},
                    Run{"overflow_restarts_the_count", kSmall, "..x..", 4, 2}, Run{"recovers", kSmall, "x...", 8, 0},
                    Run{"static_never_changes", kStatic, "...xxx.", 128, 1},
                    Run{"static_counts_and_starts_over", kStatic, "....", 128, 1}),
    [](const auto& info) { return info.param.name; });

TEST(LossScaler, RefusesAnInitialScaleOutOfRange) {
  EXPECT_THROW(LossScaler({.initial = 0.5, .minimum = 1}), Error);
  EXPECT_THROW(LossScaler({.initial = 64, .maximum = 32}), Error);
}

struct Made {
  const char* name;
  Options options;
  double scale;
  bool dynamic;
};

void PrintTo(const Made& made, std::ostream* out) { *out << made.name; }

class MadeLossScaler : public testing::TestWithParam<Made> {};

TEST_P(MadeLossScaler, FollowsTheProperties) {
  const LossScaler scaler = make_loss_scaler(resolve(GetParam().options));
  EXPECT_EQ(scaler.scale(), GetParam().scale);
  EXPECT_EQ(scaler.is_dynamic(), GetParam().dynamic);
}

INSTANTIATE_TEST_SUITE_P(LossScaler, MadeLossScaler,
                         testing::Values(Made{"o0", {.opt_level = "O0"}, 1, false},
                                         Made{"o1", {.opt_level = "O1"}, 65536, true},
                                         Made{"o2", {.opt_level = "O2"}, 65536, true},
                                         Made{"o3", {.opt_level = "O3"}, 1, false},
                                         Made{"fixed", {.opt_level = "O2", .loss_scale = 128.0}, 128, false},
                                         Made{"fixed_text", {.opt_level = "O1", .loss_scale = "128.0"}, 128, false},
                                         Made{"low_maximum", {.max_loss_scale = 4}, 4, true},
                                         Made{"high_minimum", {.min_loss_scale = 131072.0}, 131072, true}),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace amp
