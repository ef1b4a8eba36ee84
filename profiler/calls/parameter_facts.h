// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace at {
class Tensor;
}

namespace ampprof::profiler {

/// Tells what is known of the program's parameters. Thread-safe.
class ParameterFacts {
 public:
  /// Returns "" for a tensor that is no parameter and shares no parameter's memory.
  virtual std::string name_of(const at::Tensor& parameter) = 0;
  /// Returns the name of the parameter whose gradient is `gradient`; "" where there is none.
  virtual std::string owner_of_gradient(const at::Tensor& gradient) = 0;
  /// Returns the name of the parameter whose gradient the running node of backward accumulates; "" in other nodes.
  virtual std::string name_of_accumulated() = 0;
  /// Returns the FP32 master of a parameter; undefined where there is none.
  virtual at::Tensor master_of(const at::Tensor& parameter) = 0;

 protected:
  ~ParameterFacts() = default;
};

}  // namespace ampprof::profiler
