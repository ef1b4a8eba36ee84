// SPDX-License-Identifier: Apache-2.0
// Times calls of a cheap op, a thousand in each step: bench_op_loop STEPS. Prints the thread's processor time per call
// in nanoseconds, without the first tenth of the steps. The overhead of recording a call is the difference between a
// run with `ampprof run --reference off --` and one without.
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

/// Ends a step by a backward pass and an update, so that all steps have the same call sites.
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
