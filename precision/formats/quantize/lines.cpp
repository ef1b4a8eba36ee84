// SPDX-License-Identifier: Apache-2.0
#include "precision/formats/quantize/lines.h"

#include "precision/formats/quantize/scale.h"
#include "precision/formats/types/dispatch.h"

namespace ampprof::quantize::lines {
namespace {

using error::cpu::InstructionSet;
using error::cpu::loop_for;

[[gnu::always_inline]] inline std::int32_t magnitude_of(std::int32_t magnitude) { return magnitude; }
[[gnu::always_inline]] inline std::int32_t magnitude_of(float value) {
  return static_cast<std::int32_t>(bits_of(value) & kMagnitude);
}

template <int Width>
struct Raise {
  [[gnu::always_inline]] static void of(const float* line, std::size_t size, std::int32_t* largest) {
    for (std::size_t i = 0; i < size; ++i) {
      const std::int32_t magnitude = magnitude_of(line[i]);
      largest[i] = magnitude > largest[i] ? magnitude : largest[i];
    }
  }
};

/// Finds the largest magnitude of each group. The input is values or their magnitudes.
template <int Width>
struct Groups {
  template <typename T>
  [[gnu::always_inline]] static void of(const T* values, std::size_t size, std::size_t width, std::int32_t* largest) {
    const std::size_t whole = size / width;
    // With a constant trip count the compiler turns a group into a few vectors.
    if (width == 16) {
      of_whole<16>(values, whole, largest);
    } else if (width == 32) {
      of_whole<32>(values, whole, largest);
    } else {
      for (std::size_t group = 0; group < whole; ++group) largest[group] = of_one(values + group * width, width);
    }
    if (size % width != 0) largest[whole] = of_one(values + whole * width, size % width);
  }

 private:
  template <typename T>
  [[gnu::always_inline]] static std::int32_t of_one(const T* values, std::size_t size) {
    std::int32_t largest = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const std::int32_t magnitude = magnitude_of(values[i]);
      largest = magnitude > largest ? magnitude : largest;
    }
    return largest;
  }

  template <std::size_t width, typename T>
  [[gnu::always_inline]] static void of_whole(const T* values, std::size_t groups, std::int32_t* largest) {
    for (std::size_t group = 0; group < groups; ++group) largest[group] = of_one(values + group * width, width);
  }
};

template <recipes::Scale kind>
struct ScalesOf {
  template <int Width>
  struct Find {
    [[gnu::always_inline]] static void of(const std::int32_t* amax, std::size_t count, float largest,
                                          float tensor_scale, float* multipliers, float* inverses) {
      for (std::size_t i = 0; i < count; ++i) {
        const float value = float_of(static_cast<std::uint32_t>(amax[i]));
        const ScalePair pair = block_scale<kind>(value, largest, tensor_scale);
        multipliers[i] = pair.multiplier;
        inverses[i] = pair.inverse;
      }
    }
  };
};

template <int Width>
struct Repeat {
  [[gnu::always_inline]] static void of(const float* values, std::size_t width, std::size_t size, float* to) {
    if (width == 16) return of_width<16>(values, size, to);
    if (width == 32) return of_width<32>(values, size, to);
    if (width == 128) return of_width<128>(values, size, to);
    for (std::size_t i = 0; i < size; ++i) to[i] = values[i / width];
  }

 private:
  template <std::size_t width>
  [[gnu::always_inline]] static void of_width(const float* values, std::size_t size, float* to) {
    const std::size_t whole = size / width;
    for (std::size_t group = 0; group < whole; ++group) {
      const float value = values[group];
      for (std::size_t i = 0; i < width; ++i) to[group * width + i] = value;
    }
    for (std::size_t i = whole * width; i < size; ++i) to[i] = values[whole];
  }
};

/// Rounds with `round(magnitude, i)`, whose argument is a saturated magnitude.
template <bool counts_saturated, typename Round>
[[gnu::always_inline]] inline void round_line(const float* line, std::size_t size, Scales scales,
                                              const ElementRange& range, float* to, Counts& counts, Round round) {
  std::int32_t flushed = 0;
  std::int32_t too_large = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const std::uint32_t value = bits_of(line[i]);
    const float scaled = float_of(value & kMagnitude) * scales.multipliers[i];
    const float rounded = round(saturated(scaled, range), i) * scales.inverses[i];
    const std::uint32_t magnitude = bits_of(rounded);  // NaN may have a sign
    flushed += static_cast<std::int32_t>(magnitude == 0) & static_cast<std::int32_t>((value & kMagnitude) != 0);
    if constexpr (counts_saturated) too_large += static_cast<std::int32_t>(scaled >= range.overflow);
    to[i] = float_of(magnitude | (value & ~kMagnitude));
  }
  counts.flushed += flushed;
  counts.saturated += too_large;
}

template <int Width>
struct Nearest {
  [[gnu::always_inline]] static void of(const float* line, std::size_t size, Scales scales, const ElementRange& shared,
                                        float* to, Counts& counts) {
    const ElementRange range = shared;  // local copy, since a store might alias `shared`
    const auto round = [&](float magnitude, std::size_t /*i*/) { return nearest(magnitude, range); };
    if (counts.with_saturated) {
      round_line<true>(line, size, scales, range, to, counts, round);
    } else {
      round_line<false>(line, size, scales, range, to, counts, round);
    }
  }
};

template <int Width>
struct Stochastic {
  [[gnu::always_inline]] static void of(const float* line, std::size_t size, Scales scales, const std::uint16_t* random,
                                        const ElementRange& shared, float* to, Counts& counts) {
    const ElementRange range = shared;
    round_line<true>(line, size, scales, range, to, counts,
                     [&](float magnitude, std::size_t i) { return stochastic(magnitude, random[i], range); });
  }
};

template <int Width>
struct Random {
  [[gnu::always_inline]] static void of(std::uint64_t first, std::size_t count, RandomKey key, std::uint16_t* random) {
    using Word [[gnu::may_alias]] = std::uint32_t;
    auto* words = reinterpret_cast<Word*>(random);
    for (std::size_t i = 0; i < count; ++i) {
      const Words four = random_words(first + i, key);
      words[4 * i] = four.a;
      words[4 * i + 1] = four.b;
      words[4 * i + 2] = four.c;
      words[4 * i + 3] = four.d;
    }
  }
};

}  // namespace

FindScales find_scales_for(recipes::Scale scale, InstructionSet instructions) {
  const auto find = [&]<recipes::Scale kind>() {
    return loop_for<ScalesOf<kind>::template Find, const std::int32_t*, std::size_t, float, float, float*, float*>(
               instructions)
        .run;
  };
  switch (scale) {
    case recipes::Scale::BlockE8M0:
      return find.template operator()<recipes::Scale::BlockE8M0>();
    case recipes::Scale::BlockE4M3:
      return find.template operator()<recipes::Scale::BlockE4M3>();
    case recipes::Scale::BlockPowerOfTwo:
      return find.template operator()<recipes::Scale::BlockPowerOfTwo>();
    default:
      return find.template operator()<recipes::Scale::BlockFloat>();
  }
}

Kernels kernels_for(recipes::Scale scale, InstructionSet instructions) {
  Kernels kernels{};
  kernels.raise_magnitudes = loop_for<Raise, const float*, std::size_t, std::int32_t*>(instructions).run;
  kernels.largest_of_groups =
      loop_for<Groups, const std::int32_t*, std::size_t, std::size_t, std::int32_t*>(instructions).run;
  kernels.largest_of_line_groups =
      loop_for<Groups, const float*, std::size_t, std::size_t, std::int32_t*>(instructions).run;
  kernels.find_scales = find_scales_for(scale, instructions);
  kernels.spread = loop_for<Repeat, const float*, std::size_t, std::size_t, float*>(instructions).run;
  kernels.round_nearest =
      loop_for<Nearest, const float*, std::size_t, Scales, const ElementRange&, float*, Counts&>(instructions).run;
  kernels.round_stochastic = loop_for<Stochastic, const float*, std::size_t, Scales, const std::uint16_t*,
                                      const ElementRange&, float*, Counts&>(instructions)
                                 .run;
  kernels.fill_random = loop_for<Random, std::uint64_t, std::size_t, RandomKey, std::uint16_t*>(instructions).run;
  kernels.add_squares = add_squares_for(instructions);
  kernels.transform_line = transform_line_for(instructions);
  kernels.transform_columns = transform_columns_for(instructions);
  return kernels;
}

}  // namespace ampprof::quantize::lines
