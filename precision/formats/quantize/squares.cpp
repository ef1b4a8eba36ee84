// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "precision/formats/quantize/lines.h"
#include "precision/formats/types/dispatch.h"

namespace ampprof::quantize::lines {
namespace {

template <int Width>
struct Squares {
  [[gnu::always_inline]] static void of(const float* line, const float* rounded, std::size_t size, float unit,
                                        Sums& sums) {
    for (std::size_t begin = 0; begin < size; begin += kShortSum) {
      of_short(line + begin, rounded + begin, std::min(kShortSum, size - begin), unit, sums);
    }
  }

 private:
  static constexpr std::size_t kShortSum = 256;  ///< number of values that a float can sum within 1e-6

  [[gnu::always_inline]] static void of_short(const float* line, const float* rounded, std::size_t size, float unit,
                                              Sums& sums) {
    float sum_sq = 0;
    float sum_sq_error = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const float value = line[i] * unit;
      const float error = (rounded[i] - line[i]) * unit;
      sum_sq += value * value;
      sum_sq_error += error * error;
    }
    sums.sum_sq += static_cast<double>(sum_sq);
    sums.sum_sq_error += static_cast<double>(sum_sq_error);
  }
};

}  // namespace

AddSquares add_squares_for(error::cpu::InstructionSet instructions) {
  return error::cpu::loop_for<Squares, const float*, const float*, std::size_t, float, Sums&>(instructions).run;
}

}  // namespace ampprof::quantize::lines
