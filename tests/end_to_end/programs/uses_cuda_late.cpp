// SPDX-License-Identifier: Apache-2.0
// Uses a GPU for the first time in its last lines, and exits while the results are still on the GPU.
#include <ATen/ATen.h>

#include <iostream>

int main() {
  const at::Tensor on_host = at::ones({4, 4});
  at::Tensor y = on_host.to(at::kCUDA);
  for (int i = 0; i < 5; ++i) y = y * 2;
  std::cout << y.sizes() << '\n';
}
