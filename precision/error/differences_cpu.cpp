// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <bit>

#include "precision/error/differences.h"
#include "precision/formats/types/dispatch.h"
#include "precision/formats/types/widen.h"

namespace ampprof::error::cpu {
namespace {

constexpr std::size_t kBlock = 2048;  ///< elements per block: both inputs, as floats, fit into the L1 cache

/// Magnitude bits of a float, and bits that BF16 drops.
constexpr std::uint32_t kMagnitude = 0x7fffffff, kInfinity = 0x7f800000;
constexpr std::uint32_t kJustBelowHalf = 0x7fff, kQuiet = 0x400000;

template <int /*Width*/>
struct Difference {
  [[gnu::always_inline]] static void of(const float* a, const float* b, std::size_t size, std::uint16_t* to) {
    for (std::size_t i = 0; i < size; ++i) {
      const auto a_bits = std::bit_cast<std::uint32_t>(a[i]), b_bits = std::bit_cast<std::uint32_t>(b[i]);
      const auto bits = std::bit_cast<std::uint32_t>(a[i] - b[i]);
      const std::uint32_t is_nan = -std::uint32_t((bits & kMagnitude) > kInfinity);
      const std::uint32_t is_same_infinity =
          -(std::uint32_t((a_bits & kMagnitude) == kInfinity) & std::uint32_t(a_bits == b_bits));
      const std::uint32_t rounded = bits + kJustBelowHalf + (bits >> 16 & 1);
      const std::uint32_t kept = ((bits | kQuiet) & is_nan) | (rounded & ~is_nan);
      to[i] = static_cast<std::uint16_t>((kept & ~is_same_infinity) >> 16);
    }
  }
};

}  // namespace

void difference(Elements a, Elements b, std::uint16_t* to, InstructionSet instructions) {
  const auto loop = loop_for<Difference, const float*, const float*, std::size_t, std::uint16_t*>(instructions);
  alignas(64) std::array<float, kBlock> wide_a, wide_b;
  for (std::size_t start = 0; start < a.size; start += kBlock) {
    const std::size_t size = std::min(kBlock, a.size - start);
    loop.run(as_floats(a.part(start, size), wide_a.data()), as_floats(b.part(start, size), wide_b.data()), size,
             to + start);
  }
}

}  // namespace ampprof::error::cpu
