// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace at {
class Tensor;
}

namespace ampprof::profiler {

/// Looks up facts about the program's parameters. Thread-safe.
class ParameterFacts {
 public:
  /// Returns the name of the parameter that this tensor is, or whose memory it shares; "" if there is none.
  virtual std::string name_of(const at::Tensor& parameter) = 0;
  /// Returns the name of the parameter whose gradient is `gradient`; "" if there is none.
  virtual std::string owner_of_gradient(const at::Tensor& gradient) = 0;
  /// Returns the name of the parameter whose gradient this thread's backward node accumulates; "" for any other node.
  virtual std::string name_of_accumulated() = 0;
  /// Returns the FP32 master of a parameter; undefined if there is none.
  virtual at::Tensor master_of(const at::Tensor& parameter) = 0;

 protected:
  ~ParameterFacts() = default;
};

}  // namespace ampprof::profiler
