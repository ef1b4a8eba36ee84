// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace amp {

/// Returns the operators for a name from torch.nn.functional or torch: "cross_entropy" is "cross_entropy_loss", "norm"
/// is five operators, and "linear" is also "addmm" and "matmul", which torch::nn::Linear calls in C++. Any other name,
/// and a name with a namespace ("aten::linear"), is returned as the only operator.
std::vector<std::string> operators_of(std::string_view function);

/// Returns the names that operators_of() maps.
std::vector<std::string> function_names();

/// Returns " Did you mean softmax, softmin or log_softmax?", or "" without similar names.
std::string did_you_mean(std::string_view typed, const std::vector<std::string>& names);

/// Returns the names near `typed`, nearest first: at most one edit for each three letters of `typed`, at least one.
/// Edits are insertions, deletions, replacements and swaps of neighbours.
std::vector<std::string> nearest_names(std::string_view typed, const std::vector<std::string>& names, std::size_t most);

}  // namespace amp
