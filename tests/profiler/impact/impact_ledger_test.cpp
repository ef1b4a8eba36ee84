// SPDX-License-Identifier: Apache-2.0
#include "profiler/impact/impact_ledger.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>

namespace ampprof::profiler {
namespace impact_ledger_test {

ImpactLedger::Error of_call(std::int64_t site, std::int64_t segment = 1) {
  return {.segment = segment, .source = ImpactSource::OpCall, .call_site = site, .name = ""};
}

using Effect = ImpactLedger::Effect;

/// Returns an effect whose value has already been read.
ImpactLedger::LateEffect now(double gradient_times_error) {
  return std::make_shared<std::optional<Effect>>(Effect{gradient_times_error});
}

std::shared_ptr<std::optional<Effect>> later() { return std::make_shared<std::optional<Effect>>(); }

TEST(ImpactLedger, DividesByTheScaleOfTheBackward) {
  ImpactLedger ledger;
  ledger.add(of_call(1), 0, now(64.0), {.scale = 8.0});
  const auto impacts = ledger.take();
  ASSERT_EQ(impacts.size(), 1u);
  EXPECT_EQ(impacts[0].segment, 1);
  EXPECT_EQ(impacts[0].call_site, 1);
  EXPECT_EQ(impacts[0].impact, 8.0);
  EXPECT_EQ(impacts[0].gap, ImpactGap::None);
  EXPECT_TRUE(ledger.take().empty()) << "what was taken is gone";
}

TEST(ImpactLedger, AddsUpThePartsOfOneError) {
  ImpactLedger ledger;
  ledger.add(of_call(1), 0, now(64.0), {.scale = 8.0});
  ledger.add(of_call(1), 0, now(-16.0), {.scale = 4.0});
  EXPECT_EQ(ledger.take().at(0).impact, 4.0);
}

TEST(ImpactLedger, AddsUpTheSquaresOfRoundingsByWhatWasRounded) {
  ImpactLedger ledger;
  const auto part = [](const ImpactSquares& squares, double change = 0.0) {
    return std::make_shared<std::optional<Effect>>(
        Effect{.gradient_times_error = change, .squares = squares, .gradient = ImpactGradient::Shadow});
  };
  ledger.add(of_call(1), 0, part({.output = 64.0}, 16.0), {.scale = 8.0});
  ledger.add(of_call(1), 0, part({.weight = 32.0}), {.id = 1});
  ledger.add(of_call(1), 0, part({.weight = 16.0}), {.id = 1});
  ledger.scale_was(1, 4.0);
  const auto impacts = ledger.take();
  EXPECT_EQ(impacts.at(0).impact, 2.0);
  EXPECT_EQ(impacts[0].squares, (ImpactSquares{.weight = 3.0, .output = 1.0}))
      << "divided by the squares of the scales";
  EXPECT_EQ(impacts[0].gradient, ImpactGradient::Shadow);
  ledger.add(of_call(2), 0, part({.output = 1.0}), {.scale = 1.0});
  ledger.add_gap(of_call(2), 0, ImpactGap::GradientNotFinite);
  EXPECT_EQ(ledger.take().at(0).squares, ImpactSquares{}) << "without a value";
}

TEST(ImpactLedger, KeepsLossesSegmentsAndSourcesApart) {
  ImpactLedger ledger;
  ledger.add(of_call(1), 0, now(1.0), {.scale = 1.0});
  ledger.add(of_call(1), 1, now(2.0), {.scale = 1.0});
  ledger.add(of_call(1, 2), 0, now(3.0), {.scale = 1.0});
  ImpactLedger::Error input = of_call(1);
  input.source = ImpactSource::Input;
  ledger.add(input, 0, now(4.0), {.scale = 1.0});
  ledger.add({.segment = 1, .source = ImpactSource::Parameter, .call_site = 0, .name = "fc.weight"}, 0, now(5.0),
             {.scale = 1.0});
  EXPECT_EQ(ledger.take().size(), 5u);
}

TEST(ImpactLedger, KeepsCoursesApart) {
  ImpactLedger ledger;
  ImpactLedger::Error second = of_call(1);
  second.run = 1;
  ledger.add(of_call(1), 0, now(1.0), {.scale = 1.0});
  ledger.add(second, 0, now(2.0), {.id = 1});
  EXPECT_EQ(ledger.take().at(0).impact, 1.0);
  EXPECT_TRUE(ledger.take().empty()) << "the other is another course's";
  ledger.scale_was(1, 4.0);
  EXPECT_EQ(ledger.take(1).at(0).impact, 0.5);
  EXPECT_EQ(ledger.waiting(), 0u);
}

TEST(ImpactLedger, WaitsForAScaleThatComesLater) {
  ImpactLedger ledger;
  ledger.add(of_call(1), 0, now(64.0), {.id = 1});
  ledger.add(of_call(1), 0, now(32.0), {.scale = 16.0});
  ledger.scale_was(1, 32.0);
  EXPECT_EQ(ledger.take().at(0).impact, 4.0);
}

TEST(ImpactLedger, DividesEachPassByItsOwnScale) {
  ImpactLedger ledger;
  ledger.add(of_call(1), 0, now(64.0), {.id = 1});
  ledger.add(of_call(1), 0, now(64.0), {.id = 2});
  ledger.scale_was(1, 32.0);
  ledger.scale_was(2, 8.0);
  EXPECT_EQ(ledger.take().at(0).impact, 10.0);
}

TEST(ImpactLedger, ARecomputedCallCountsOnce) {
  ImpactLedger ledger;
  ledger.add(of_call(1), 0, now(64.0), {.scale = 1.0}, /*function=*/7);
  ledger.add(of_call(2), 0, now(1.0), {.scale = 1.0}, /*function=*/7);
  ledger.add(of_call(1), 0, now(2.0), {.scale = 1.0}, /*function=*/8);
  ledger.drop(7);
  ledger.add(of_call(1), 0, now(3.0), {.scale = 1.0});
  const auto impacts = ledger.take();
  ASSERT_EQ(impacts.size(), 1u) << "of the second call nothing is left";
  EXPECT_EQ(impacts[0].impact, 5.0);
}

TEST(ImpactLedger, AScaleThatNeverComesIsAGap) {
  ImpactLedger ledger;
  ledger.add(of_call(1), 0, now(64.0), {.id = 1});
  const auto impacts = ledger.take();
  EXPECT_EQ(impacts.at(0).impact, std::nullopt);
  EXPECT_EQ(impacts.at(0).gap, ImpactGap::ScaleUnknown);
}

TEST(ImpactLedger, APartWithoutANumberLeavesNone) {
  ImpactLedger ledger;
  ledger.add(of_call(1), 0, now(64.0), {.scale = 1.0});
  ledger.add_gap(of_call(1), 0, ImpactGap::GradientNotFinite);
  const auto impacts = ledger.take();
  EXPECT_EQ(impacts.at(0).impact, std::nullopt);
  EXPECT_EQ(impacts.at(0).gap, ImpactGap::GradientNotFinite);
}

TEST(ImpactLedger, PendingEffectsStay) {
  ImpactLedger ledger;
  const auto late = later();
  ledger.add(of_call(1), 0, now(1.0), {.scale = 1.0});
  ledger.add(of_call(1), 0, late, {.scale = 4.0});
  ledger.add(of_call(2), 0, now(3.0), {.scale = 1.0});
  EXPECT_EQ(ledger.waiting(), 1u);
  const auto others = ledger.take();
  ASSERT_EQ(others.size(), 1u);
  EXPECT_EQ(others[0].call_site, 2);
  EXPECT_TRUE(ledger.take().empty());
  *late = Effect{8.0};
  EXPECT_EQ(ledger.waiting(), 0u);
  const auto impacts = ledger.take();
  ASSERT_EQ(impacts.size(), 1u);
  EXPECT_EQ(impacts[0].call_site, 1);
  EXPECT_EQ(impacts[0].impact, 3.0) << "with what had come before";
}

TEST(ImpactLedger, AScaleMayBeKnownBeforeTheNumberComes) {
  ImpactLedger ledger;
  const auto first = later(), second = later();
  ledger.add(of_call(1), 0, first, {.id = 1});
  ledger.add(of_call(1), 0, second, {.id = 2});
  ledger.scale_was(1, 32.0);
  *first = Effect{64.0};
  *second = Effect{64.0};
  ledger.scale_was(2, 8.0);
  EXPECT_EQ(ledger.take().at(0).impact, 10.0);
}

TEST(ImpactLedger, APassHasTheScaleThatItBeganWith) {
  ImpactLedger ledger;
  const auto late = later();
  ledger.add(of_call(1), 0, late, {.id = 1, .scale = 8.0});
  ledger.scale_was(1, 2.0);
  *late = Effect{64.0};
  EXPECT_EQ(ledger.take().at(0).impact, 8.0);
}

TEST(ImpactLedger, ALateGapIsAGap) {
  ImpactLedger ledger;
  const auto late = later();
  ledger.add(of_call(1), 0, late, {.id = 1});
  ledger.add(of_call(1), 0, now(1.0), {.scale = 1.0});
  *late = Effect{.gap = ImpactGap::ErrorNotFinite};
  const auto impacts = ledger.take();
  EXPECT_EQ(impacts.at(0).impact, std::nullopt);
  EXPECT_EQ(impacts.at(0).gap, ImpactGap::ErrorNotFinite) << "whatever its scale was";
}

TEST(ImpactLedger, DroppedEffectsAreNotWaitedFor) {
  ImpactLedger ledger;
  ledger.add(of_call(1), 0, later(), {.scale = 1.0}, /*function=*/7);
  ledger.drop(7);
  EXPECT_EQ(ledger.waiting(), 0u);
  EXPECT_TRUE(ledger.take().empty());
}

}  // namespace impact_ledger_test
}  // namespace ampprof::profiler
