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

/// The backward pass of a step as a recipe would have it, on the step's tape: what rounds is not the run's gradients,
/// which nothing has rounded before, but those that the recipe's own matmuls behind them gave. Of equal size, the two
/// roundings have little to do with each other. Adding is thread-safe.
class RoundedBackward {
 public:
  /// A matmul of the backward of this call on the tape. Its error will be of `source`.
  void add(std::size_t call, ErrorSource source, GradientProduct product);

  bool empty() const;

  /// Returns the gradients of the inputs, of the loss itself, where they have these values; hands over what each matmul
  /// is off by, of `scale` times the loss. Throws where the tape cannot be run.
  std::vector<at::Tensor> gradients(const tape::Tape& forward, const std::vector<at::Tensor>& inputs,
                                    const std::vector<tape::Root>& roots, double scale, CotangentErrors& errors) const;

 private:
  struct Product {
    ErrorSource source{};
    GradientProduct product{};
  };

  mutable std::mutex mutex_;
  std::map<std::size_t, std::vector<Product>> products_;  ///< by call
};

}  // namespace ampprof::profiler
