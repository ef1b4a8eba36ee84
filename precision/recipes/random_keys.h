// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "precision/formats/quantize/philox.h"

namespace amp::recipes {

/// Returns the key of the next product's stochastic roundings. Its seed is that of LibTorch's generator for the CPU
/// (torch::manual_seed), from which nothing is drawn; its stream counts up from the last restart_random_keys(), over
/// all threads.
ampprof::quantize::RandomKey next_random_key();

void restart_random_keys();

}  // namespace amp::recipes
