// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace ampprof::queries {
struct OpRow;
}

/// Maps op calls to the functions that a policy must name. A policy names functions that a program calls; a report also
/// contains ops that autograd calls.
namespace ampprof::advice {

/// Returns the name of a forward op in a policy: "sum" for "sum.dim_IntList". Ops outside LibTorch keep their
/// namespace.
std::string function_of(std::string_view op);

/// Tells whether the op writes into its first argument, like "add_.Tensor"; such an op cannot be registered.
bool is_in_place(std::string_view op);

/// Functions that a run calls in forward. A backward op belongs to one of these functions.
class ForwardFunctions {
 public:
  explicit ForwardFunctions(const std::vector<queries::OpRow>& ops);

  /// Returns the function whose backward calls the op: "conv2d" for "convolution_backward" in a module that calls
  /// conv2d. If several functions fit, it returns the one called in the same module; empty if the module calls several
  /// of them.
  std::optional<std::string> behind(std::string_view module, std::string_view backward_op) const;

 private:
  std::map<std::string, std::set<std::string>, std::less<>> called_;  // functions by module
};

}  // namespace ampprof::advice
