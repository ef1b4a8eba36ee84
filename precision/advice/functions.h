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

/// Which function a policy must name to reach an op call: policies speak of what a program calls, a report also of what
/// autograd calls.
namespace ampprof::advice {

/// The name that a policy knows a forward op by: "sum" for "sum.dim_IntList". Ops outside LibTorch keep their
/// namespace.
std::string function_of(std::string_view op);

/// Whether it writes into its first argument, "add_.Tensor": such an op cannot be registered.
bool is_in_place(std::string_view op);

/// The functions that a run calls in forward, for which a backward op is looked up.
class ForwardFunctions {
 public:
  explicit ForwardFunctions(const std::vector<queries::OpRow>& ops);

  /// The function whose backward a backward op is: "conv2d" for "convolution_backward" in a module that calls conv2d.
  /// Of functions that fit, one called in the same module, where only one is; else empty.
  std::optional<std::string> behind(std::string_view module, std::string_view backward_op) const;

 private:
  std::map<std::string, std::set<std::string>, std::less<>> called_;  // by module
};

}  // namespace ampprof::advice
