// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <map>
#include <mutex>
#include <vector>

#include "precision/replay/tape/replay.h"
#include "profiler/calls/output_pair.h"
#include "profiler/gradient_impact/cotangent_errors.h"

namespace ampprof::profiler {

/// Runs the backward pass of a step on its tape as a recipe would compute it. Each matmul rounds the gradients that the
/// recipe's earlier matmuls returned. Rounding the program's exact gradients instead would be wrong: the two roundings
/// are of equal size and hardly correlate. Adding is thread-safe.
class RoundedBackward {
 public:
  /// Adds a matmul in the backward of the taped call with index `call`. The matmul's error counts for `source`.
  void add(std::size_t call, ErrorSource source, GradientProduct product);

  bool empty() const;

  /// Returns the gradients of the unscaled loss with respect to the tape's inputs, at the values `inputs`. Hands each
  /// matmul's error, multiplied by `scale`, to `errors`. Throws if the tape cannot be run.
  std::vector<at::Tensor> gradients(const tape::Tape& forward, const std::vector<at::Tensor>& inputs,
                                    const std::vector<tape::Root>& roots, double scale, CotangentErrors& errors) const;

 private:
  struct Product {
    ErrorSource source{};
    GradientProduct product{};
  };

  mutable std::mutex mutex_;
  std::map<std::size_t, std::vector<Product>> products_;  ///< by index of the taped call
};

}  // namespace ampprof::profiler
