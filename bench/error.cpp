// SPDX-License-Identifier: Apache-2.0
// Compares three times on one core: of the error kernel, of ATen ops that compute the same statistics, and of only
// reading the two inputs. Run: bench_error
#include <ATen/Parallel.h>
#include <torch/types.h>
#include <torch/utils.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <vector>

#include "precision/tensors/measure.h"
#include "precision/tensors/round_to.h"

namespace {

using at::Tensor;

double ms_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
  return values[values.size() / 2];
}

volatile double g_sink = 0;

// Returns the XOR of the words, which only takes as long as loading them.
[[gnu::optimize("O3"), gnu::target_clones("avx512f", "avx2", "default")]] std::uint64_t folded(
    const std::uint64_t* data, std::size_t size) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < size; ++i) sum ^= data[i];
  return sum;
}

void read(const Tensor& tensor) {
  const auto* data = static_cast<const std::uint64_t*>(tensor.const_data_ptr());
  g_sink = g_sink + static_cast<double>(folded(data, tensor.nbytes() / sizeof(std::uint64_t)));
}

/// Computes the statistics of OutputStatistics with as few and as fast ATen ops as possible.
void measure_with_aten(const Tensor& output, const Tensor& reference) {
  const Tensor y = output.to(at::kFloat);
  const Tensor original = reference.to(at::kFloat);
  const Tensor is_finite = y.isfinite();
  const Tensor keep = is_finite & original.isfinite();
  const Tensor kept = y.nan_to_num(0, 0, 0);
  const Tensor r = original.nan_to_num(0, 0, 0);
  const Tensor error = (kept - r).abs_();
  const Tensor size = kept.abs();
  const Tensor reference_size = original.abs();
  const Tensor field = reference_size.view(at::kInt).__rshift__(23);
  const Tensor ulps = (264 - field.clamp_min(113)).__lshift__(23).view(at::kFloat).mul_(error);
  const Tensor is_zero = reference_size == 0;
  for (const Tensor& statistic :
       {keep.count_nonzero(), ((kept == 0) & (r != 0)).count_nonzero(), error.max(), ulps.max(), ulps.sum(),
        error.dot(error), r.dot(r), kept.dot(kept), kept.dot(r), is_finite.count_nonzero(), size.max(),
        (size.view(at::kInt).sub(1).__iand__(0x7fffffff)).min(), r.abs().max(),
        (reference_size >= 65520).count_nonzero(), (reference_size < 0x1p-14).count_nonzero(),
        (reference_size <= 0x1p-25).count_nonzero(), is_zero.count_nonzero()}) {
    g_sink = g_sink + statistic.item<double>();
  }
  g_sink = g_sink + static_cast<double>(at::bincount(field, {}, 256)[0].item<std::int64_t>());
}

struct Case {
  const char* name;
  at::ScalarType output;
  at::ScalarType reference;
  double spread;  ///< standard deviation of the exponents (log2) of the factors on normally distributed values
};

void run(const Case& row, std::int64_t size, int turns) {
  const Tensor wide = at::randn({size}) * at::exp2(at::randn({size}) * row.spread - 3 * row.spread);
  const Tensor r = wide.to(row.reference);
  const Tensor y = wide.to(at::kHalf).to(row.output);
  const auto reads = [&] {
    read(y);
    read(r);
  };
  const auto measures = [&] { g_sink = g_sink + ampprof::tensors::measure(y, r).local->sum_ulp; };
  const auto with_aten = [&] { measure_with_aten(y, r); };
  std::vector<double> reading, kernel, aten;
  for (int turn = 0; turn < turns; ++turn) {
    aten.push_back(ms_of(with_aten));
    reads();  // loads the inputs into the cache again, from which ATen's temporaries evicted them
    reading.push_back(ms_of(reads));
    kernel.push_back(ms_of(measures));
  }
  const double ours = median(kernel);
  std::printf("%-36s %5lld M %9.3f %9.3f %9.2f %10.2fx %12.2fx\n", row.name, static_cast<long long>(size >> 20),
              median(reading), ours, median(aten), ours / median(reading), median(aten) / ours);
}

/// Compares rounding to `type` with copying the same values, which is limited by memory bandwidth, and with casting.
void run_rounding(ampprof::error::WhatIfType type, std::int64_t size, int turns) {
  const Tensor x = at::randn({size});
  Tensor copied = at::empty_like(x);
  std::vector<double> copying, rounding, casting;
  const auto half = type == ampprof::error::WhatIfType::BFloat16 ? at::kBFloat16 : at::kHalf;
  for (int turn = 0; turn < turns; ++turn) {
    copying.push_back(ms_of([&] { copied = x.clone(); }));
    rounding.push_back(ms_of([&] { copied = ampprof::tensors::round_to(x, type); }));
    casting.push_back(ms_of([&] { copied = x.to(half).to(at::kFloat); }));
  }
  std::printf("%-36s %5lld M %9.3f %9.3f %9.3f %10.2fx %12.2fx\n", ampprof::error::format_of(type).name.data(),
              static_cast<long long>(size >> 20), median(copying), median(rounding), median(casting),
              median(rounding) / median(copying), median(casting) / median(rounding));
}

}  // namespace

int main() {
  const torch::NoGradGuard no_grad;
  at::set_num_threads(1);
  at::manual_seed(1);
  const std::array<Case, 6> cases{{{"float, float", at::kFloat, at::kFloat, 0},
                                   {"float, float, many exponents", at::kFloat, at::kFloat, 8},
                                   {"half, float", at::kHalf, at::kFloat, 0},
                                   {"bfloat16, float", at::kBFloat16, at::kFloat, 0},
                                   {"half, double", at::kHalf, at::kDouble, 0},
                                   {"double, double", at::kDouble, at::kDouble, 0}}};
  std::printf("%-36s %7s %9s %9s %9s %11s %13s\n", "output, reference; ms, one core", "size", "reading", "kernel",
              "ATen", "of reading", "than ATen");
  for (const Case& row : cases) run(row, std::int64_t{1} << 20, 41);
  for (const Case& row : cases) run(row, std::int64_t{1} << 25, 9);
  std::printf("%-36s %7s %9s %9s %9s %11s %13s\n", "rounded to; ms, one core", "size", "copying", "rounding", "casts",
              "of copying", "than casts");
  for (std::size_t i = 0; i < ampprof::error::kNumberFormats.size(); ++i) {
    run_rounding(static_cast<ampprof::error::WhatIfType>(i), std::int64_t{1} << 25, 9);
  }
}
