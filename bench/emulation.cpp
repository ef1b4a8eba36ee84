// SPDX-License-Identifier: Apache-2.0
// Compares the speed of the FP16 emulation with that of LibTorch's own half kernels on the CPU: bench_emulation
#include <torch/types.h>
#include <torch/utils.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <vector>

#include "amp_core/emulation/half_on_cpu.h"

namespace {

double median_ms(const std::function<void()>& work) {
  constexpr int kRuns = 7;
  work();  // warm up
  std::vector<double> ms;
  for (int run = 0; run < kRuns; ++run) {
    const auto start = std::chrono::steady_clock::now();
    work();
    ms.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
  }
  std::ranges::nth_element(ms, ms.begin() + kRuns / 2);
  return ms[kRuns / 2];
}

struct Kernel {
  const char* name;
  std::function<void()> work;
};

}  // namespace

int main() {
  torch::NoGradGuard no_grad;
  const auto half = torch::TensorOptions(torch::kHalf);
  const auto a = torch::randn({512, 512}).to(half);
  const auto b = torch::randn({512, 512}).to(half);
  const auto images = torch::randn({32, 64, 32, 32}).to(half);
  const auto weight = torch::randn({64, 64, 3, 3}).to(half);
  const std::vector<Kernel> kernels{
      {"mm 512x512x512", [&] { torch::mm(a, b); }},
      {"conv 3x3, 64 -> 64, [32,64,32,32]", [&] { torch::conv2d(images, weight, {}, 1, 1); }}};
  std::vector<double> own;
  for (const Kernel& kernel : kernels) own.push_back(median_ms(kernel.work));
  amp::emulate_half_on_cpu();
  std::printf("%-36s %12s %12s %8s\n", "kernel, median of 7", "LibTorch ms", "emulated ms", "faster");
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const double emulated = median_ms(kernels[i].work);
    std::printf("%-36s %12.2f %12.2f %7.1fx\n", kernels[i].name, own[i], emulated, own[i] / emulated);
  }
}
