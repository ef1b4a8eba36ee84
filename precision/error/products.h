// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "precision/error/kernels.h"

namespace ampprof::error {

/// Sums over the products of two tensors' elements, in double. Sums of parts add up to those of the whole.
struct ProductSums {
  double sum = 0.0;
  double sum_sq = 0.0;  ///< sum of the squared products

  void merge(const ProductSums& other) {
    sum += other.sum;
    sum_sq += other.sum_sq;
  }
};

namespace cpu {

/// Returns the sums over the products of elements, computed on this thread. `a` and `b` have the same size and any
/// types of DType. A sum is not finite if an element is not. Products of floats are exact; sums may be added up in any
/// order.
ProductSums products(Elements a, Elements b, InstructionSet instructions = best_instruction_set());

/// Returns the sums over the products of `b` with the mean of `a` and `other`. All have the same size and any types of
/// DType except Double.
ProductSums products_of_mean(Elements a, Elements other, Elements b,
                             InstructionSet instructions = best_instruction_set());

}  // namespace cpu
}  // namespace ampprof::error
