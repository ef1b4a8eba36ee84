// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace ampprof::kernel_names {

/// A kernel's name as C++ writes it, without its parameters, for tooltips and lists: at::native::vectorized_…<4, …>.
/// A name that is not mangled, or wrongly, is returned as it is. Any bytes are a name. Never longer than
/// `kLongestReadableName`; what is cut off ends in "…". Repeated types of very long names are shown as "_".
std::string readable_name(std::string_view name);

/// Returns a name for tables: namespaces and nested template arguments left out, what tells kernels apart kept:
/// "vectorized_elementwise_kernel<4, CUDAFunctor_add<Half>>".
std::string short_name_of_kernel(std::string_view name);

constexpr std::size_t kLongestReadableName = 4096;

}  // namespace ampprof::kernel_names
