// SPDX-License-Identifier: Apache-2.0
// A library of the client's: it has a copy of NVTX of its own.
#include <nvtx3/nvToolsExt.h>

extern "C" __attribute__((visibility("default"))) void library_work() {
  nvtxRangePushA("library");
  nvtxRangePop();
}
