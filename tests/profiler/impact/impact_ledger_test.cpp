// SPDX-License-Identifier: Apache-2.0
#include "profiler/impact/impact_ledger.h"

#include <gtest/gtest.h>

namespace ampprof::profiler {
namespace impact_ledger_test {

ImpactLedger::Error of_call(std::int64_t site, std::int64_t substep = 1) {
  return {.substep = substep, .source = ImpactSource::OpCall, .call_site = site, .name = ""};
}

TEST(ImpactLedger, DividesByTheScaleOfTheBackward) {
  ImpactLedger ledger;
  ledger.add(of_call(1), 0, 64.0, {.scale = 8.0});
  const auto impacts = ledger.take();
  ASSERT_EQ(impacts.size(), 1u);
  EXPECT_EQ(impacts[0].substep, 1);
  EXPECT_EQ(impacts[0].call_site, 1);
  EXPECT_EQ(impacts[0].impact, 8.0);
  EXPECT_EQ(impacts[0].gap, ImpactGap::None);
  EXPECT_TRUE(ledger.take().empty()) << "what was taken is gone";
}

TEST(ImpactLedger, AddsUpThePartsOfOneError) {
  ImpactLedger ledger;
  ledger.add(of_call(1), 0, 64.0, {.scale = 8.0});
  ledger.add(of_call(1), 0, -16.0, {.scale = 4.0});
  EXPECT_EQ(ledger.take().at(0).impact, 4.0);
}

TEST(ImpactLedger, KeepsLossesSubstepsAndSourcesApart) {
  ImpactLedger ledger;
  ledger.add(of_call(1), 0, 1.0, {.scale = 1.0});
  ledger.add(of_call(1), 1, 2.0, {.scale = 1.0});
  ledger.add(of_call(1, 2), 0, 3.0, {.scale = 1.0});
  ImpactLedger::Error input = of_call(1);
  input.source = ImpactSource::Input;
  ledger.add(input, 0, 4.0, {.scale = 1.0});
  ledger.add({.substep = 1, .source = ImpactSource::Parameter, .call_site = 0, .name = "fc.weight"}, 0, 5.0,
             {.scale = 1.0});
  EXPECT_EQ(ledger.take().size(), 5u);
}

TEST(ImpactLedger, WaitsForAScaleThatComesLater) {
  ImpactLedger ledger;
  ledger.add(of_call(1), 0, 64.0, {.id = 1});
  ledger.add(of_call(1), 0, 32.0, {.scale = 16.0});
  ledger.scale_was(1, 32.0);
  EXPECT_EQ(ledger.take().at(0).impact, 4.0);
}

TEST(ImpactLedger, DividesEachPassByItsOwnScale) {
  ImpactLedger ledger;
  ledger.add(of_call(1), 0, 64.0, {.id = 1});
  ledger.add(of_call(1), 0, 64.0, {.id = 2});
  ledger.scale_was(1, 32.0);
  ledger.scale_was(2, 8.0);
  EXPECT_EQ(ledger.take().at(0).impact, 10.0);
}

TEST(ImpactLedger, WhatAFunctionComputesOnceMoreCountsOnce) {
  ImpactLedger ledger;
  ledger.add(of_call(1), 0, 64.0, {.scale = 1.0}, /*function=*/7);
  ledger.add(of_call(2), 0, 1.0, {.scale = 1.0}, /*function=*/7);
  ledger.add(of_call(1), 0, 2.0, {.scale = 1.0}, /*function=*/8);
  ledger.drop(7);
  ledger.add(of_call(1), 0, 3.0, {.scale = 1.0});
  const auto impacts = ledger.take();
  ASSERT_EQ(impacts.size(), 1u) << "of the second call nothing is left";
  EXPECT_EQ(impacts[0].impact, 5.0);
}

TEST(ImpactLedger, AScaleThatNeverComesIsAGap) {
  ImpactLedger ledger;
  ledger.add(of_call(1), 0, 64.0, {.id = 1});
  const auto impacts = ledger.take();
  EXPECT_EQ(impacts.at(0).impact, std::nullopt);
  EXPECT_EQ(impacts.at(0).gap, ImpactGap::ScaleUnknown);
}

TEST(ImpactLedger, APartWithoutANumberLeavesNone) {
  ImpactLedger ledger;
  ledger.add(of_call(1), 0, 64.0, {.scale = 1.0});
  ledger.add_gap(of_call(1), 0, ImpactGap::GradientNotFinite);
  const auto impacts = ledger.take();
  EXPECT_EQ(impacts.at(0).impact, std::nullopt);
  EXPECT_EQ(impacts.at(0).gap, ImpactGap::GradientNotFinite);
}

}  // namespace impact_ledger_test
}  // namespace ampprof::profiler
