// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector_types.h>

#include <cstddef>
#include <functional>
#include <tuple>
#include <type_traits>
#include <utility>

/// Runs CUDA kernels on the CPU: one fiber for each thread of a block, block after block.
namespace ampprof::host_cuda {

/// Calls `kernel` once for each thread of the grid, with threadIdx, blockIdx, blockDim and gridDim set. Returns when
/// all threads have ended. Only one launch runs at a time in the process; other launches wait. Throws std::logic_error
/// if threads on a GPU would wait for ever, or if a collective would be undefined. The message says where the threads
/// wait.
void run(const std::function<void()>& kernel, dim3 grid, dim3 block);

/// Returns the kernel call that a launch by address makes. `arguments` points to one value for each parameter. The
/// values are copied, as in cudaLaunchKernel(); `change` may modify each copy.
template <typename... Parameters, typename Change>
std::function<void()> bound(void (*kernel)(Parameters...), void** arguments, Change change) {
  auto copied = [&]<std::size_t... i>(std::index_sequence<i...>) {
    return std::tuple<std::decay_t<Parameters>...>(*static_cast<std::decay_t<Parameters>*>(arguments[i])...);
  }
  (std::index_sequence_for<Parameters...>());
  std::apply([&](auto&... each) { (change(each), ...); }, copied);
  return [kernel, copied] { std::apply(kernel, copied); };
}

template <typename... Parameters>
std::function<void()> bound(void (*kernel)(Parameters...), void** arguments) {
  return bound(kernel, arguments, [](auto&) {});
}

}  // namespace ampprof::host_cuda
