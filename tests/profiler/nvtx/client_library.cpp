// SPDX-License-Identifier: Apache-2.0
// A library of client.cpp with its own copy of NVTX.
#include <nvtx3/nvToolsExt.h>

extern "C" __attribute__((visibility("default"))) void library_work() {
  nvtxRangePushA("library");
  nvtxRangePop();
}
