// SPDX-License-Identifier: Apache-2.0
#include "profiler/recipes/recipe_row.h"

#include <ATen/ATen.h>

#include "precision/impact/difference.h"
#include "precision/tensors/as_contiguous_pair.h"
#include "precision/tensors/length.h"
#include "precision/tensors/measure.h"

namespace ampprof::profiler {
namespace {

double squared(const at::Tensor& length) {
  const double value = length.item<double>();
  return value * value;
}

}  // namespace

std::optional<error::OutputStatistics> RecipeRow::put_lengths(const at::Tensor& low, const at::Tensor& of_exact) {
  if (of_exact.is_cpu()) {
    const error::OutputStatistics measured = tensors::measure(low, of_exact);
    if (!measured.local) return std::nullopt;
    row.sum_sq_error = measured.local->sum_sq_error;
    row.sum_sq_exact = measured.local->sum_sq_reference;
    return measured;
  }
  error = tensors::length_of(at::sub(low, of_exact));
  exact = tensors::length_of(of_exact);
  on_device = true;
  return std::nullopt;
}

RecipeMatmul RecipeRow::read() const {
  RecipeMatmul whole = row;
  if (first) whole.first = first->total();
  if (second) whole.second = second->total();
  if (error.defined()) whole.sum_sq_error = squared(error);
  if (exact.defined()) whole.sum_sq_exact = squared(exact);
  return whole;
}

at::Tensor rounding_of(const at::Tensor& rounded, const at::Tensor& exact) {
  if (tensors::are_dense_alike(rounded, exact)) return impact::difference(rounded, exact);
  return impact::difference(at::empty_like(exact, rounded.options()).copy_(rounded), exact);
}

}  // namespace ampprof::profiler
