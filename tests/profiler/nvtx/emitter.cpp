// SPDX-License-Identifier: Apache-2.0
// Emits as ampprof does.
#include <cstdio>

#include "profiler/nvtx/emit.h"

int main() {
  using namespace ampprof::profiler;
  std::printf("%s\n", emission::is_listened_to() ? "heard" : "unheard");
  {
    const emission::Range level(emission::Kind::Level, "O1");
    const emission::Range step(emission::Kind::Step, "step 3");
    emission::push(emission::Kind::Module, "conv1");
    emission::push(emission::Kind::Op, "conv2d");
    emission::pop();
    emission::pop();
  }
  std::fflush(stdout);
}
