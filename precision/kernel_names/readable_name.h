// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace ampprof::kernel_names {

/// Demangles a kernel's name for tooltips and lists, without its parameters: at::native::vectorized_…<4, …>. Returns
/// the name unchanged if it is not mangled or cannot be demangled. Accepts any bytes. The result has at most
/// `kLongestReadableName` bytes and ends in "…" if it was cut. In very long names repeated types become "_".
std::string readable_name(std::string_view name);

/// Returns a short name for tables, without namespaces and nested template arguments, but with the parts that
/// distinguish kernels: "vectorized_elementwise_kernel<4, CUDAFunctor_add<Half>>".
std::string short_name_of_kernel(std::string_view name);

constexpr std::size_t kLongestReadableName = 4096;

}  // namespace ampprof::kernel_names
