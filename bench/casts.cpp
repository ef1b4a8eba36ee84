// SPDX-License-Identifier: Apache-2.0
// Compares the overhead of O1's casts with that of LibTorch's autocast, also for ops that neither casts:
// OMP_NUM_THREADS=1 bench_casts
#include "amp_core/casts/casts.h"

#include <ATen/autocast_mode.h>
#include <torch/types.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "amp_core/emulation/half_on_cpu.h"

namespace {

using Work = std::function<void()>;

double microseconds(const Work& work, int calls) {
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < calls; ++i) work();
  const std::chrono::duration<double, std::micro> spent = std::chrono::steady_clock::now() - start;
  return spent.count() / calls;
}

double median(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
  return values[values.size() / 2];
}

/// One side of a comparison: turns casts on and off on this thread around the timed work.
struct Side {
  Work begin;
  Work end;

  double time(const Work& work, int calls) const {
    begin();
    microseconds(work, calls / 10);
    const double us = microseconds(work, calls);
    end();
    return us;
  }
};

void with_autocast(bool on) {
  at::autocast::set_autocast_enabled(at::kCPU, on);
  at::autocast::clear_cache();
}

const Side kPlain{[] {}, [] {}};
const Side kTorch{[] {
                    at::autocast::set_autocast_dtype(at::kCPU, at::kHalf);
                    with_autocast(true);
                  },
                  [] { with_autocast(false); }};

Side ours(const std::string& policy) {
  return {[policy] { amp::enable_casts_on_this_thread(amp::parse_policy(policy, "bench")); },
          [] { amp::disable_casts_on_this_thread(); }};
}

/// Alternates both sides, so that variations in the machine's speed affect both. Prints the medians and their ratio.
void compare(const char* name, const Work& work, const Side& base, const Side& side, int calls) {
  constexpr int kRounds = 41;
  std::vector<double> before;
  std::vector<double> after;
  std::vector<double> ratios;
  for (int round = 0; round < kRounds; ++round) {
    before.push_back(base.time(work, calls));
    after.push_back(side.time(work, calls));
    ratios.push_back(after.back() / before.back());
  }
  std::printf("%-66s %8.3f %8.3f %+8.3f us %7.3f\n", name, median(before), median(after),
              median(after) - median(before), median(ratios));
}

}  // namespace

int main() {
  amp::emulate_half_on_cpu();
  const auto x = torch::randn({64, 64}).requires_grad_();
  const auto w = torch::randn({64, 64}).requires_grad_();
  const auto b = torch::randn({64}).requires_grad_();
  const auto half = x.detach().to(torch::kHalf);
  const auto small = torch::ones({4});
  const Work linear = [&] { torch::linear(x, w, b); };
  const Work with_backward = [&] {
    torch::linear(x, w, b).sum().backward();
    at::autocast::clear_cache();
    amp::clear_cast_cache();
  };
  const Work softmax = [&] { torch::softmax(half, 1); };
  const Work listed_by_torch = [&] { torch::log1p(small); };
  const Work unlisted = [&] { torch::neg(small); };

  std::printf("%-66s %8s %8s %8s %10s\n", "median of 41 rounds, both in turn", "before", "after", "cost", "ratio");
  compare("linear 64x64, batch 64, graph: LibTorch's autocast / native list", linear, kTorch, ours("use native"), 1000);
  compare("the same with backward, caches emptied", with_backward, kTorch, ours("use native"), 300);
  compare("linear again: LibTorch's autocast / Apex's list", linear, kTorch, ours(""), 1000);
  compare("softmax of half: LibTorch's autocast / native list", softmax, kTorch, ours("use native"), 2000);
  compare("log1p of 4, on LibTorch's list alone: plain / Apex's list", listed_by_torch, kPlain, ours(""), 20000);
  compare("softmax of half: plain / Apex's list", softmax, kPlain, ours(""), 2000);
  compare("neg of 4, on no list: plain / Apex's list", unlisted, kPlain, ours(""), 20000);
  compare("linear: casts never on / off again", linear, kPlain, kPlain, 1000);
}
