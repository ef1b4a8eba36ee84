// SPDX-License-Identifier: Apache-2.0
#include "analysis/search/early_stop.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace ampprof::search {
namespace early_stop_test {

/// Returns noisy losses that fall from 2.1 to 0.1 and stay there. With `slower` = 2, the fall takes twice as long.
Losses falling(std::size_t steps, double noise, unsigned seed, double slower = 1.0) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal(0.0, 1.0);
  Losses losses;
  for (std::size_t step = 0; step < steps; ++step) {
    losses.push_back(0.1 + 2.0 * std::exp(-static_cast<double>(step) / (10.0 * slower)) + noise * normal(random));
  }
  return losses;
}

/// Returns a reference of five runs with 200 steps each, one run per seed.
LossReference reference(double noise, double tolerance = 0.01) {
  LossReference reference{.runs = {}, .tolerance = tolerance, .error = 2.5e-5};
  for (unsigned seed = 1; seed <= 5; ++seed) reference.runs.push_back(falling(200, noise, seed));
  return reference;
}

bool stops(Losses losses, std::size_t steps, const LossReference& reference) {
  losses.resize(steps);
  return is_clearly_bad(losses, reference);
}

TEST(EarlyStop, StopsWhatIsNoLongerFinite) {
  Losses losses(9, NAN);
  EXPECT_FALSE(is_clearly_bad(losses, std::nullopt));
  losses.insert(losses.begin(), 1.0);
  EXPECT_FALSE(is_clearly_bad(losses, std::nullopt));
  losses.push_back(HUGE_VAL);
  EXPECT_TRUE(is_clearly_bad(losses, std::nullopt));
  losses.push_back(1.0);
  EXPECT_FALSE(is_clearly_bad(losses, std::nullopt)) << "it came back";
}

TEST(EarlyStop, StopsWhatDoesNotTrainAtItsHalf) {
  const Losses flat(200, 2.1);
  EXPECT_FALSE(stops(flat, 99, reference(0.02)));
  EXPECT_TRUE(stops(flat, 100, reference(0.02)));
  EXPECT_TRUE(stops(flat, 130, reference(0.02)));
}

TEST(EarlyStop, StopsWhatGoesWrongLater) {
  Losses losses = falling(200, 0.02, 7);
  for (std::size_t step = 105; step < 200; ++step) losses[step] += 2.0;
  EXPECT_FALSE(stops(losses, 149, reference(0.02)));
  EXPECT_TRUE(stops(losses, 150, reference(0.02)));
}

TEST(EarlyStop, LeavesWhatIsSlower) {
  EXPECT_FALSE(stops(falling(200, 0.02, 7, 2.0), 200, reference(0.02)));
  EXPECT_TRUE(stops(falling(200, 0.02, 7, 20.0), 100, reference(0.02)));
}

TEST(EarlyStop, LeavesWhatTheToleranceAllows) {
  Losses losses = falling(200, 0.0, 7);
  for (double& loss : losses) loss += 0.3;
  EXPECT_TRUE(stops(losses, 200, reference(0.0001)));
  EXPECT_FALSE(stops(losses, 200, reference(0.0001, 0.4)));
}

TEST(EarlyStop, LeavesWhatOneMoreSeedMayDo) {
  int stopped = 0;
  for (unsigned seed = 100; seed < 1100; ++seed) {
    if (stops(falling(200, 0.5, seed), 200, reference(0.5))) ++stopped;
  }
  EXPECT_EQ(stopped, 0);
}

TEST(EarlyStop, LeavesShortRunsAndThoseOfWhichNothingIsKnown) {
  LossReference brief{.runs = {Losses(60, 0.1), Losses(60, 0.1)}, .tolerance = 0.01};
  EXPECT_FALSE(stops(Losses(60, 9.0), 39, brief)) << "their half is too early";
  EXPECT_TRUE(stops(Losses(60, 9.0), 45, brief)) << "three quarters are not";
  EXPECT_FALSE(is_clearly_bad(Losses(60, 9.0), std::nullopt));
  brief.runs[1][50] = NAN;
  EXPECT_FALSE(stops(Losses(60, 9.0), 60, brief)) << "high precision has such losses too";
}

TEST(EarlyStop, GoesByTheNoiseOfASingleRun) {
  LossReference single{.runs = {falling(200, 0.0, 1)}, .tolerance = 0.01, .noise = 0.02};
  Losses losses = falling(200, 0.0, 1);
  for (double& loss : losses) loss += 0.2;
  EXPECT_TRUE(stops(losses, 200, single));
  single.noise = 0.05;
  EXPECT_FALSE(stops(losses, 200, single));
  single.noise.reset();
  EXPECT_FALSE(stops(losses, 200, single));
}

}  // namespace early_stop_test
}  // namespace ampprof::search
