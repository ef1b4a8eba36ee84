// SPDX-License-Identifier: Apache-2.0
// A fake recorder for an unsupported LibTorch: prints that it was loaded, and records nothing.
#include <cstdio>

extern "C" const void* ampprof_attach(const void* /*stub*/) {
  std::puts("the recorder of 2.98.7");
  return nullptr;
}
