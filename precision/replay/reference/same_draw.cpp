// SPDX-License-Identifier: Apache-2.0
#include "precision/replay/reference/same_draw.h"

#include <ATen/ATen.h>

#include "precision/replay/reference/arguments.h"
#include "precision/replay/reference/reference.h"
#include "precision/replay/reference/skipped.h"
#include "precision/tensors/dtype_of.h"
#include "precision/tensors/measure.h"

namespace ampprof::reference {
namespace {

bool same_zeros(const at::Tensor& first, const at::Tensor& again) {
  const double clearly_not_zero = std::ldexp(1.0, error::spacing_of(tensors::dtype_of(first)).min_exponent);
  const at::Tensor y = first.to(again.scalar_type());
  const at::Tensor differ =
      ((y == 0) & (again.abs() >= clearly_not_zero)) | ((again == 0) & (y.abs() >= clearly_not_zero));
  return !differ.any().item<bool>();
}

bool agree(std::string_view name, const at::Tensor& first, const at::Tensor& again) {
  // Scaling rounds once or twice. Other numbers are off by hundreds of ulp, unless they hardly vary.
  constexpr double kFewUlp = 8;
  if (first.scalar_type() == again.scalar_type()) return is_floating(first) || at::equal(first, again);
  if (!same_zeros(first, again)) return false;
  return computes_beyond_its_draw(name) || tensors::measure(first, again).local->mean_ulp() <= kFewUlp;
}

}  // namespace

bool same_draw(std::string_view name, c10::ArrayRef<c10::IValue> returned, c10::ArrayRef<c10::IValue> again) {
  const auto first = tensors_in(returned);
  const auto second = tensors_in(again);
  for (std::size_t i = 0; i < first.size() && i < second.size(); ++i) {
    if (!first[i].defined() || !second[i].defined() || first[i].numel() == 0) continue;
    const bool comparable = first[i].sizes() == second[i].sizes() && is_floating(first[i]) == is_floating(second[i]) &&
                            (is_floating(first[i]) || first[i].scalar_type() == second[i].scalar_type());
    if (!comparable || !agree(name, first[i], second[i])) return false;
  }
  return true;
}

}  // namespace ampprof::reference
