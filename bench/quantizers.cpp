// SPDX-License-Identifier: Apache-2.0
// Measures the speed of quantizing a matrix on one core, relative to memcpy: bench_quantizers [ROWS COLUMNS]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <random>

#include "precision/formats/quantize/cache_lines.h"
#include "precision/formats/quantize/quantize.h"
#include "precision/formats/recipes/recipe.h"

namespace {

using ampprof::quantize::Matrix;
using ampprof::quantize::Settings;
using ampprof::recipes::Direction;
using ampprof::recipes::Operand;
using ampprof::recipes::Slot;

constexpr int kRounds = 25;

/// Returns the processor time of `work`, which other processes affect less than wall time.
double seconds_of(const std::function<void()>& work) {
  const std::clock_t start = std::clock();
  work();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

/// Runs `copy` and `work` alternately. Returns the shortest time of `copy` divided by the shortest time of `work`.
double ratio_to(const std::function<void()>& copy, const std::function<void()>& work) {
  double shortest_copy = seconds_of(copy);
  double shortest_work = seconds_of(work);
  for (int round = 1; round < kRounds; ++round) {
    shortest_copy = std::min(shortest_copy, seconds_of(copy));
    shortest_work = std::min(shortest_work, seconds_of(work));
  }
  return shortest_copy / shortest_work;
}

struct Row {
  const char* name;
  const char* recipe;
  Slot slot;
};

constexpr Row kRows[]{
    {"FP8 per tensor", "fp8_current", Slot::FpropInput},
    {"FP8 per tensor, columnwise", "fp8_current", Slot::WgradInput},
    {"FP8 1x128", "fp8_blockwise", Slot::FpropInput},
    {"FP8 1x128, columnwise", "fp8_blockwise", Slot::WgradInput},
    {"FP8 128x128", "fp8_blockwise", Slot::FpropWeight},
    {"MXFP8", "mxfp8", Slot::FpropInput},
    {"MXFP8, columnwise", "mxfp8", Slot::WgradInput},
    {"NVFP4 1x16", "nvfp4", Slot::FpropInput},
    {"NVFP4 16x16", "nvfp4", Slot::FpropWeight},
    {"NVFP4 stochastic", "nvfp4", Slot::DgradGradOutput},
    {"NVFP4 Hadamard, columnwise", "nvfp4", Slot::WgradInput},
    {"NVFP4 both, columnwise", "nvfp4", Slot::WgradGradOutput},
};

}  // namespace

int main(int argc, char** argv) {
  const std::int64_t rows = argc > 2 ? std::atol(argv[1]) : 4096;
  const std::int64_t columns = argc > 2 ? std::atol(argv[2]) : 4096;
  const auto size = static_cast<std::size_t>(rows * columns);
  ampprof::quantize::CacheLines<float> from(size);  // aligned like LibTorch's tensors
  ampprof::quantize::CacheLines<float> to(size);
  std::mt19937 dice(1);
  std::normal_distribution<float> normal;
  for (float& value : from) value = normal(dice);
  const Matrix matrix{from.data(), ampprof::DType::Float, rows, columns, columns};
  const auto copy = [&] { std::memcpy(to.data(), from.data(), size * sizeof(float)); };
  copy();
  const double rate = 1e-9 * static_cast<double>(size * sizeof(float)) / seconds_of(copy);
  std::printf("%ld x %ld floats, memcpy %.1f GB/s\n", static_cast<long>(rows), static_cast<long>(columns), rate);
  std::printf("%-28s %22s %22s\n", "of memcpy's rate", "amax known before", "amax found first");
  for (const Row& row : kRows) {
    const auto recipe = ampprof::recipes::recipe_named(row.recipe);
    const Operand& operand = recipe[row.slot];
    const Direction direction = ampprof::recipes::info_of(row.slot).direction;
    Settings known{.amax = 5.0F, .hadamard_signs = 0x5a3c};
    const Settings unknown{.hadamard_signs = 0x5a3c};
    const auto quantize = [&](const Settings& settings) {
      ampprof::quantize::cpu::quantize(matrix, {to.data(), columns}, operand, direction, settings);
    };
    std::printf("%-28s %22.2f", row.name, ratio_to(copy, [&] { quantize(known); }));
    const bool needs_amax =
        operand.scale == ampprof::recipes::Scale::Tensor || operand.scale == ampprof::recipes::Scale::BlockE4M3;
    if (needs_amax) std::printf(" %22.2f", ratio_to(copy, [&] { quantize(unknown); }));
    std::printf("\n");
  }
}
