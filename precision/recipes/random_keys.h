// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "precision/formats/quantize/philox.h"

namespace amp::recipes {

/// Returns the key for the stochastic rounding of the next product. The seed is that of LibTorch's CPU generator
/// (torch::manual_seed); nothing is drawn from the generator. The stream counts products since the last
/// restart_random_keys(), over all threads.
ampprof::quantize::RandomKey next_random_key();

void restart_random_keys();

}  // namespace amp::recipes
