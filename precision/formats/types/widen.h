// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "precision/formats/types/elements.h"

namespace ampprof::error::cpu {

/// Returns values of any type except double as floats: floats in place, narrow types converted to `wide`, which has
/// room for all of them.
const float* as_floats(const Elements& part, float* wide);

/// Converts values of a narrow type to float, exactly. `to` has room for all values of `from`.
void widen_half(std::span<const std::uint16_t> from, float* to);
void widen_bfloat16(std::span<const std::uint16_t> from, float* to);
void widen_float8_e4m3(std::span<const std::uint8_t> from, float* to);
void widen_float8_e5m2(std::span<const std::uint8_t> from, float* to);

}  // namespace ampprof::error::cpu
