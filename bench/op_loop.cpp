// SPDX-License-Identifier: Apache-2.0
// Runs steps of a thousand calls of the cheapest op: bench_op_loop STEPS prints the thread's own time per call in
// nanoseconds, without the first tenth of the steps. Run it with and without `ampprof run --reference off --`: the
// difference is the overhead of recording a call.
#include <time.h>
#include <torch/types.h>
#include <torch/utils.h>

#include <cstdio>
#include <cstdlib>

namespace {

constexpr long kCallsPerStep = 1'000;

double thread_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e9 * static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec);
}

/// Adds a backward pass and an update, so that the calls of each step have the call sites of the one before.
void end_step(at::Tensor& weight) {
  (weight * weight).sum().backward();
  const torch::NoGradGuard no_grad;
  weight.sub_(weight.grad());
}

}  // namespace

int main(int argc, char** argv) {
  const long steps = argc > 1 ? std::atol(argv[1]) : 1'000;
  auto weight = torch::ones({4}, torch::requires_grad());
  auto x = torch::zeros({4});
  const auto one = torch::ones({4});
  double spent = 0;
  for (long step = 0; step < steps; ++step) {
    const double start = thread_ns();
    for (long call = 0; call < kCallsPerStep; ++call) x.add_(one);
    if (step >= steps / 10) spent += thread_ns() - start;
    end_step(weight);
  }
  std::printf("%.1f\n", spent / static_cast<double>((steps - steps / 10) * kCallsPerStep));
}
