// SPDX-License-Identifier: Apache-2.0
#include "amp_core/levels/loss_scaler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <sstream>

namespace amp {
namespace loss_scaler_test {

constexpr LossScalerOptions kSmall{
    .initial = 8, .growth = 2, .backoff = 0.5, .growth_interval = 3, .minimum = 2, .maximum = 32};
constexpr LossScalerOptions kStatic{.initial = 128, .growth_interval = 3, .dynamic = false};
constexpr LossScalerOptions kWithoutFloor{.initial = 1, .growth_interval = 3};

// A sequence of passes: '.' is a clean pass, 'x' an overflow.
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

TEST(LossScaler, TakesWhatFP32HoldsAsANormalNumber) {
  using Float = std::numeric_limits<float>;
  for (const double scale : {double{Float::min()}, 0.5, double{Float::max()}}) {
    EXPECT_EQ(LossScaler({.initial = scale, .maximum = Float::max()}).scale(), scale);
  }
  const auto complaint_about = [](double scale) -> std::string {
    try {
      check_scaler_options({.initial = scale, .dynamic = false});
      return "";
    } catch (const Error& error) {
      return error.what();
    }
  };
  for (const double scale : {0.0, -1.0, HUGE_VAL}) {
    EXPECT_TRUE(complaint_about(scale).ends_with("; a loss scale must be a positive, finite number.")) << scale;
  }
  for (const double scale : {Float::min() / 2.0, Float::max() * 2.0}) {
    EXPECT_NE(complaint_about(scale).find("FP32 cannot hold as a normal number"), std::string::npos) << scale;
  }
}

TEST(LossScaler, NeverReachesZero) {
  LossScaler scaler(kWithoutFloor);
  for (int i = 0; i < 2000; ++i) EXPECT_FALSE(scaler.update(true));
  EXPECT_EQ(scaler.scale(), std::numeric_limits<float>::min());
}

TEST(LossScaler, ContinuesFromASavedState) {
  const LossScalerOptions options{.initial = 8, .growth_interval = 3, .hysteresis = 2};
  LossScaler first(options);
  for (const bool overflowed : {true, false, false, true}) static_cast<void>(first.update(overflowed));
  LossScaler second(options, first.state());
  for (const bool overflowed : {true, false, false, false, true, true}) {
    EXPECT_EQ(first.update(overflowed), second.update(overflowed));
    EXPECT_EQ(first.state(), second.state());
  }
}

TEST(LossScaler, RefusesAStateThatItCannotHaveReached) {
  const LossScalerOptions options{.initial = 8, .growth_interval = 3, .minimum = 1, .maximum = 16};
  const auto from = [&](LossScaler::State state) { return LossScaler(options, state); };
  EXPECT_NO_THROW(from({16, 2, 0}));
  for (const double scale : {0.0, -8.0, 0.5, 32.0, std::nan(""), HUGE_VAL}) EXPECT_THROW(from({scale, 0, 1}), Error);
  for (const std::int64_t clean : {-1, 3}) EXPECT_THROW(from({8, clean, 1}), Error);
  for (const int left : {-1, 2}) EXPECT_THROW(from({8, 0, left}), Error);
}

/// Implements the scaler's rules in their simplest form: counts clean passes and overflows since the last change.
struct PlainModel {
  double scale;
  double growth;
  double backoff;
  int interval;
  int hysteresis;
  int clean = 0;
  int overflows_in_a_row = 0;

  bool update(bool overflowed) {
    if (overflowed) {
      clean = 0;
      if (++overflows_in_a_row >= hysteresis) scale *= backoff;
      return false;
    }
    overflows_in_a_row = 0;
    if (++clean % interval == 0) scale *= growth;
    return true;
  }
};

struct Hysteresis {
  double growth;
  double backoff;
  int interval;
  int hysteresis;
  int one_overflow_in;  ///< average number of passes per overflow
};

void PrintTo(const Hysteresis& h, std::ostream* out) {
  *out << "growth_" << h.growth << "_backoff_1_in_" << 1 / h.backoff << "_interval_" << h.interval << "_hysteresis_"
       << h.hysteresis << "_overflow_1_in_" << h.one_overflow_in;
}

std::vector<Hysteresis> all_hysteresis() {
  std::vector<Hysteresis> all;
  for (const double growth : {2.0, 4.0}) {
    for (const double backoff : {0.5, 0.25}) {
      for (const int interval : {1, 3, 10}) {
        for (const int hysteresis : {1, 2, 5}) {
          for (const int one_in : {2, 7}) all.push_back({growth, backoff, interval, hysteresis, one_in});
        }
      }
    }
  }
  return all;
}

class LossScalerHysteresis : public testing::TestWithParam<Hysteresis> {};

TEST_P(LossScalerHysteresis, AgreesWithThePlainModel) {
  const Hysteresis& h = GetParam();
  PlainModel model{1024, h.growth, h.backoff, h.interval, h.hysteresis};
  LossScaler scaler({.initial = 1024,
                     .growth = h.growth,
                     .backoff = h.backoff,
                     .growth_interval = h.interval,
                     .hysteresis = h.hysteresis,
                     .maximum = 0x1p127});
  std::mt19937 random(17);
  for (int pass = 0; pass < 60; ++pass) {
    const bool overflowed = random() % h.one_overflow_in == 0;
    EXPECT_EQ(scaler.update(overflowed), model.update(overflowed)) << "pass " << pass;
    ASSERT_EQ(scaler.scale(), std::clamp(model.scale, 0x1p-126, 0x1p127)) << "pass " << pass;
    if (scaler.scale() != model.scale) break;  // the plain model does not limit the scale
  }
}

INSTANTIATE_TEST_SUITE_P(LossScaler, LossScalerHysteresis, testing::ValuesIn(all_hysteresis()), [](const auto& info) {
  std::ostringstream name;
  PrintTo(info.param, &name);
  return name.str();
});

struct Made {
  const char* name;
  Options options;
  double scale;
  bool dynamic;
};

void PrintTo(const Made& made, std::ostream* out) { *out << made.name; }

class MadeLossScaler : public testing::TestWithParam<Made> {};

TEST_P(MadeLossScaler, FollowsTheProperties) {
  const LossScaler scaler(resolve(GetParam().options).scaler);
  EXPECT_EQ(scaler.scale(), GetParam().scale);
  EXPECT_EQ(scaler.is_dynamic(), GetParam().dynamic);
}

INSTANTIATE_TEST_SUITE_P(
    LossScaler, MadeLossScaler,
    testing::Values(Made{"o0", {.opt_level = "O0"}, 1, false}, Made{"o1", {.opt_level = "O1"}, 65536, true},
                    Made{"o2", {.opt_level = "O2"}, 65536, true}, Made{"o3", {.opt_level = "O3"}, 1, false},
                    Made{"fixed", {.opt_level = "O2", .loss_scale = 128.0}, 128, false},
                    Made{"fixed_text", {.opt_level = "O1", .loss_scale = "128.0"}, 128, false},
                    Made{"low_maximum", {.max_loss_scale = 4}, 4, true},
                    Made{"low_maximum_and_minimum", {.min_loss_scale = 0.125, .max_loss_scale = 0.25}, 0.25, true},
                    Made{"high_minimum", {.min_loss_scale = 131072.0}, 131072, true},
                    Made{"chosen_start", {.init_scale = 1024.0}, 1024, true}),
    [](const auto& info) { return info.param.name; });

}  // namespace loss_scaler_test
}  // namespace amp
