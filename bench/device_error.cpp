// SPDX-License-Identifier: Apache-2.0
// Compares the bandwidth of the error kernel, which reads two inputs on a GPU, with that of a copy: bench_device_error
#include <torch/cuda.h>
#include <torch/types.h>
#include <torch/utils.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <vector>

#include "precision/tensors/deferred_reductions.h"

namespace {

using at::Tensor;

constexpr int kTurns = 9;
constexpr int kCalls = 20;  ///< calls per turn, followed by one synchronization

double median(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
  return values[values.size() / 2];
}

/// Returns the time of one call in seconds: the mean of kCalls, during which the device is never idle.
double seconds_of(const std::function<void()>& call) {
  torch::cuda::synchronize();
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < kCalls; ++i) call();
  torch::cuda::synchronize();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / kCalls;
}

struct Case {
  const char* name;
  at::ScalarType output;
  at::ScalarType reference;
};

void run(const Case& row, std::int64_t size) {
  const Tensor wide = at::randn({size}).to(at::kCUDA);
  const Tensor r = wide.to(row.reference);
  const Tensor y = wide.to(at::kHalf).to(row.output);
  const auto bytes = static_cast<double>(y.nbytes() + r.nbytes());
  // A copy reads and writes each byte, so a copy of half the size causes as much memory traffic.
  const Tensor from = at::zeros({static_cast<std::int64_t>(bytes / 2)}, at::TensorOptions(at::kCUDA).dtype(at::kByte));
  Tensor to = at::empty_like(from);
  std::vector<double> measuring, copying;
  for (int turn = 0; turn < kTurns; ++turn) {
    copying.push_back(seconds_of([&] { to.copy_(from); }));
    ampprof::tensors::DeferredReductions results;
    measuring.push_back(seconds_of([&] { (void)results.add(y, r); }));
  }
  const double ours = bytes / median(measuring) / 1e9;
  const double copy = bytes / median(copying) / 1e9;
  std::printf("%-16s %4lld M %8.3f ms %8.0f GB/s, a copy %8.0f GB/s\n", row.name, static_cast<long long>(size >> 20),
              median(measuring) * 1e3, ours, copy);
  if (size >= std::int64_t{1} << 26) std::printf("of a copy %s %.3f\n", row.name, ours / copy);
}

}  // namespace

int main() {
  if (!torch::cuda::is_available()) {
    std::fprintf(stderr, "bench_device_error: no GPU on this machine\n");
    return 2;
  }
  const torch::NoGradGuard no_grad;
  at::manual_seed(1);
  const std::array<Case, 4> cases{{{"float, float", at::kFloat, at::kFloat},
                                   {"half, float", at::kHalf, at::kFloat},
                                   {"bfloat16, float", at::kBFloat16, at::kFloat},
                                   {"half, double", at::kHalf, at::kDouble}}};
  for (const std::int64_t size : {std::int64_t{1} << 20, std::int64_t{1} << 26}) {
    for (const Case& row : cases) run(row, size);
  }
}
