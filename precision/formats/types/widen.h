// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "precision/formats/types/elements.h"

namespace ampprof::error::cpu {

/// Returns values of any type except double as floats: floats unchanged, narrow types as a copy at `wide`, which has
/// room for all.
const float* as_floats(const Elements& part, float* wide);

/// Converts values of half types to float, exactly. `to` has room for all of `from`.
void widen_half(std::span<const std::uint16_t> from, float* to);
void widen_bfloat16(std::span<const std::uint16_t> from, float* to);
void widen_float8_e4m3(std::span<const std::uint8_t> from, float* to);
void widen_float8_e5m2(std::span<const std::uint8_t> from, float* to);

}  // namespace ampprof::error::cpu
