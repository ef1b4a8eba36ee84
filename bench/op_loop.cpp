// SPDX-License-Identifier: Apache-2.0
// A loop of the cheapest op, to see what a call costs: bench_op_loop CALLS prints nanoseconds a call.
#include <torch/types.h>
#include <torch/utils.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
  const long calls = argc > 1 ? std::atol(argv[1]) : 200000;
  torch::NoGradGuard no_grad;
  auto x = torch::zeros({4});
  const auto one = torch::ones({4});
  for (long i = 0; i < calls / 10; ++i) x.add_(one);
  const auto start = std::chrono::steady_clock::now();
  for (long i = 0; i < calls; ++i) x.add_(one);
  const std::chrono::duration<double, std::nano> spent = std::chrono::steady_clock::now() - start;
  std::printf("%.1f\n", spent.count() / static_cast<double>(calls));
}
