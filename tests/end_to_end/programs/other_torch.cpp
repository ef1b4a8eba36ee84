// SPDX-License-Identifier: Apache-2.0
// A fake LibTorch of a version that ampprof was not built for: 2.98.7.
#include <cstdint>

extern "C" {
int torch_answer() { return 0; }
std::uint64_t aoti_torch_abi_version() {
  return std::uint64_t{2} << 56 | std::uint64_t{98} << 48 | std::uint64_t{7} << 40;
}
}
