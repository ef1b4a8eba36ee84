// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace amp {

/// The operators behind a name that people know from torch.nn.functional or torch: "cross_entropy" is
/// "cross_entropy_loss", "norm" is five operators, and "linear" also "addmm" and "matmul", which torch::nn::Linear
/// calls in C++. Any other name, and one with a namespace ("aten::linear"), is its own operator.
std::vector<std::string> operators_of(std::string_view function);

/// The names that operators_of() knows more of.
std::vector<std::string> function_names();

/// " Did you mean softmax, softmin or log_softmax?", or "" where nothing is near.
std::string did_you_mean(std::string_view typed, const std::vector<std::string>& names);

/// The names at the fewest insertions, deletions and replacements from `typed`, nearest first: at most a third of its
/// length and one.
std::vector<std::string> nearest_names(std::string_view typed, const std::vector<std::string>& names, std::size_t most);

}  // namespace amp
