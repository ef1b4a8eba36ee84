// SPDX-License-Identifier: Apache-2.0
// Emits ranges like ampprof.
#include <cstdio>

#include "profiler/nvtx/emit.h"

int main() {
  using namespace ampprof::profiler;
  std::printf("%s\n", emission::is_listened_to() ? "heard" : "unheard");
  const std::uint64_t level = emission::start(emission::Kind::Level, "O1");
  emission::push(emission::Kind::Module, "conv1");
  const std::uint64_t step = emission::start(emission::Kind::Step, "step 3");
  emission::push(emission::Kind::Op, "conv2d");
  emission::pop();
  emission::pop();
  emission::end(step);
  emission::end(level);
  emission::end(0);  // 0 is what start() returns if no tool listens
  std::printf("%s\n", level == 0 || step == 0 ? "no ids" : "ids");
  std::fflush(stdout);
}
